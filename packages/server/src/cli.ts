#!/usr/bin/env node
import { runCommandLine } from './commands/main.ts';
import { endWithReader } from './commands/outcome.ts';

endWithReader();

process.exitCode = await runCommandLine(process.argv.slice(2), { environment: process.env });
