import path from 'node:path';
import type { Command } from 'commander';
import { checkConfiguration } from './config-check.ts';
import { checkOntologies, previewOntology } from './ontology.ts';
import { runOperation } from './operate.ts';
import type { CommandContext } from './outcome.ts';
import { replay } from './replay.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { printToken } from './token.ts';
import { verify } from './verify.ts';

/** Adds every command to the program; each tells its exit status. */
export function addCommands(program: Command, context: CommandContext, exit: (status: number) => void): void {
  withSettings(program.command('serve'))
    .description('serve the endpoints; prints one line when ready, stops on SIGTERM')
    .option('--port <number>', 'port to listen on, 0 picks one (default 8080)')
    .option('--host <host>', 'address to listen on (default 127.0.0.1)')
    .option('--demo', 'load the demo set, with its own configuration, into an empty data directory')
    .option('--demo-directory <directory>', 'where the demo set is (default: test-fixtures/apollo of the project)')
    .option('--print-config', 'print the configuration in effect and stop')
    .action(async (flags) => exit(await serve(flags, context)));
  withSettings(program.command('token'))
    .description('print a signed token for a user of the configuration')
    .requiredOption('--user <name>', 'name of the user')
    .option('--seconds <number>', 'how long it lives (default auth.tokenSeconds)')
    .action(async (flags) => exit(await printToken(flags, context)));
  withSettings(program.command('config').command('check'))
    .description('check a configuration and say what is wrong with it')
    .option('--port <number>')
    .option('--host <host>')
    .option('--print-config', 'print the configuration in effect')
    .action(async (flags) => exit(checkConfiguration(flags, context)));
  withSettings(program.command('restore <directory>'))
    .description('copy a backup into the empty data directory; the server must be stopped')
    .option('--incomplete', 'restore what is there of a backup that lacks files, or the list of them')
    .action(async (directory, flags) => exit(await restore(directory, flags, context)));
  withSettings(program.command('verify'))
    .description('read the data whole and say what is damaged; exit status 1 when anything is')
    .option('--accept', 'take note of what the log has lost; when the server is stopped, mend a damaged log, too')
    .option('--give-up-values', 'erase what is left of events whose stored values are damaged or missing')
    .option('--json', 'a JSON object a line')
    .action(async (flags) => exit(await verify(flags, context)));
  withSettings(program.command('replay <directory>'))
    .description('append events from files to a topic; the server must be stopped')
    .requiredOption('--topic <topic>', 'the topic to append to')
    .action(async (directory, flags) => exit(await replay(directory, flags, context)));
  addOntologyCommands(program, context, exit);
  addOperations(program, async (name, args, flags) => exit(await runOperation(name, args, flags, context)));
}

function addOntologyCommands(program: Command, context: CommandContext, exit: (status: number) => void): void {
  const ontology = program.command('ontology').description('check ontologies and look at their styles');
  ontology
    .command('check <files...>')
    .description('check ontologies against the rules; exit status 1 when a finding fails')
    .option('--base <file>', 'the ontology that they extend')
    .option('--format <format>', 'text or json (default text)')
    .option('--fail-on <severity>', 'warning or error (default error)')
    .option('--style-predicate <iri>', 'predicate that carries styles (default http://telicent.io/ontology/style)')
    .action(async (files, flags) => exit(await checkOntologies(files, flags, context)));
  ontology
    .command('preview <file>')
    .description('write a stand-alone page that shows every styled class in both themes and all sizes')
    .option('--output <file>', 'where to write it (default: beside the file, as .html)')
    .option('--inherit', 'show inherited styles, too')
    .option('--style-predicate <iri>', 'predicate that carries styles (default http://telicent.io/ontology/style)')
    .action(async (file, flags) => exit(await previewOntology(file, flags, context)));
}

function withSettings(command: Command): Command {
  return command
    .option('--data <directory>', 'data directory; without it everything is in memory')
    .option('--config <file>', 'configuration in YAML (default: cairn.yaml of the data directory)');
}

type RunOperation = (
  name: string,
  args: Readonly<Record<string, string | readonly string[] | undefined>>,
  flags: Readonly<Record<string, string | undefined>>,
) => Promise<void>;

function addOperations(program: Command, run: RunOperation): void {
  withSettings(program.command('load <dataset> <files...>'))
    .description('load RDF files, folders of them and .gz files into a dataset, one event each')
    .option('--label <label>', 'security label (default: the one of the dataset)')
    .action((dataset, names: string[], flags) => {
      // As the server reads them, which may run elsewhere.
      const files = names.map((name) => path.resolve(name));
      return run('load', { dataset, files, label: flags.label }, flags);
    });
  withSettings(program.command('rebuild <cache>'))
    .description('rebuild a cache from the log: search, or the name of a dataset')
    .action((cache, flags) => run('rebuild', { cache }, flags));
  const letters = program.command('dead-letters').description('events that could not be processed');
  withSettings(letters.command('list [topic]'))
    .description('list them, of one topic or of all')
    .action((topic, flags) => run('dead-letters-list', { topic }, flags));
  withSettings(letters.command('show <topic> <position>'))
    .description('show one with its reason and headers')
    .action((topic, position, flags) => run('dead-letters-show', { topic, position }, flags));
  withSettings(letters.command('retry <topic> [position]'))
    .description('process one, or all of a topic, again')
    .action((topic, position, flags) => run('dead-letters-retry', { topic, position }, flags));
  withSettings(program.command('forget <ids...>'))
    .description('erase documents: their projections, their blobs and their bytes in the log')
    .option('--dry-run', 'name what would be erased, and erase nothing')
    .action((id, flags) => run('forget', { id, dryRun: flags.dryRun === true ? 'true' : undefined }, flags));
  withSettings(program.command('backup <directory>'))
    .description('copy the data into an empty directory, also while serving')
    .action((directory, flags) => run('backup', { directory: path.resolve(directory) }, flags));
}
