import { Command, CommanderError } from 'commander';
import { ENVIRONMENT_NAMES } from '../config/environment.ts';
import { readBuildInfo } from '../operations/build-info.ts';
import { type CommandContext, EXIT, processConsole, reportError } from './outcome.ts';
import { addCommands } from './table.ts';

export type CommandLine = Pick<CommandContext, 'environment' | 'fileSystem'> & Partial<Pick<CommandContext, 'console'>>;

/** Runs the `cairn` command; the exit status: 0 done, 1 failed, 2 called or configured wrongly. */
export async function runCommandLine(
  args: readonly string[],
  { environment, console = processConsole, fileSystem }: CommandLine,
): Promise<number> {
  let status: number = EXIT.ok;
  const program = new Command('cairn')
    .description('Find things in documents and in a knowledge graph when not everybody may see everything.')
    .version(readBuildInfo().versions['server'] ?? '0.0.0-source')
    .showHelpAfterError('(cairn --help shows how)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.out(text.trimEnd()),
      writeErr: (text) => console.err(text.trimEnd()),
    })
    .addHelpText(
      'after',
      `\nEnvironment: ${ENVIRONMENT_NAMES.join(', ')}\nExit status: 0 done, 1 failed, 2 called or configured wrongly`,
    );
  addCommands(program, { environment, console, fileSystem }, (code) => {
    status = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error, console);
  }
}
