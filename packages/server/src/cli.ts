#!/usr/bin/env node
import { runCommandLine } from './commands/main.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), { environment: process.env });
