import path from 'node:path';
import { createServer } from '../composition/create-server.ts';
import { demoLines, installDemo } from '../demo/demo.ts';
import { DEMO_CONFIGURATION, requireDemoDirectory } from '../demo/manifest.ts';
import { toYaml } from './config-check.ts';
import { type CommandContext, type Console, EXIT } from './outcome.ts';
import { readSettings, type SettingFlags, type Settings } from './settings.ts';

export interface ServeFlags extends SettingFlags {
  readonly demo?: boolean;
  readonly demoDirectory?: string;
  readonly printConfig?: boolean;
}

/** `cairn serve`: serves until SIGTERM or SIGINT; prints one line to standard output when ready. */
export async function serve(flags: ServeFlags, { environment, console }: CommandContext): Promise<number> {
  const demo = flags.demo === true ? requireDemoDirectory(flags.demoDirectory) : undefined;
  const settings = readSettings(flags, environment, demo && path.join(demo, DEMO_CONFIGURATION));
  if (flags.printConfig === true) {
    console.out(toYaml(settings.configuration));
    return EXIT.ok;
  }
  sayWhatIsSpecial(settings, console);
  const stopped = nextStopSignal();
  const server = createServer({ configuration: settings.configuration, dataDirectory: settings.dataDirectory });
  const url = await server.start(async (service) => {
    if (demo !== undefined) await installDemo(service, { directory: demo, settings, say: console.err });
  });
  if (server.metricsUrl !== undefined) console.err(`cairn: metrics at ${server.metricsUrl}`);
  console.out(`listening on ${url}`);
  if (demo !== undefined) for (const line of await demoLines(server, url, settings.configuration)) console.err(line);
  // Whoever presses Ctrl-C waits for nobody to take it out of a list of servers.
  await ((await stopped) === 'SIGTERM' ? server.retire() : server.close());
  return EXIT.ok;
}

function sayWhatIsSpecial({ dataDirectory, configuration }: Settings, console: Console): void {
  if (dataDirectory === undefined) {
    console.err('cairn: no data directory (--data DIR): everything is in memory and gone when the server stops');
  }
  if (configuration.auth.mode === 'disabled') {
    console.err('cairn: WARNING: authentication is disabled; everybody on this machine is the anonymous user');
  }
}

/** Resolves with the first SIGTERM or SIGINT. A second one ends the process at once. */
function nextStopSignal(): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: 'SIGTERM' | 'SIGINT'): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(signal);
    };
    process.on('SIGTERM', () => stop('SIGTERM'));
    process.on('SIGINT', () => stop('SIGINT'));
  });
}
