import { copyFileSync, createReadStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createHeaders } from '@cairn/events';
import type { UploadPart } from '@cairn/ingest';
import { createViewerOfEverything } from '@cairn/security';
import { type Settings, STORED_CONFIGURATION } from '../commands/settings.ts';
import type { CairnServer } from '../composition/create-server.ts';
import type { Service } from '../composition/service.ts';
import type { Configuration } from '../config/configuration.ts';
import { rdfTypeOfFile } from '../control/rdf-files.ts';
import { DEMO_CONFIGURATION, readManifest } from './manifest.ts';

export interface DemoOptions {
  readonly directory: string;
  readonly settings: Settings;
  /** Tells people what happens. */
  say(line: string): void;
}

const SETTLE_MS = 120_000;
const DEMO_QUERY = 'query=oxygen%20tank&type=phrase&limit=10';

/** Loads a demo set into an empty log, by the same ways as anybody's data; into any other it loads nothing. */
export async function installDemo(service: Service, options: DemoOptions): Promise<void> {
  const { directory, settings, say } = options;
  if ((await service.storage.log.topics()).length > 0) {
    say('cairn: the data directory is not empty, so the demo set is not loaded');
    return;
  }
  const { ingest } = service;
  const manifest = readManifest(directory);
  for (const dataset of ['ontology', 'knowledge'] as const) {
    for (const { file, label } of manifest[dataset]) {
      const value = readFileSync(path.join(directory, file));
      await ingest.load({ dataset, contentType: rdfTypeOfFile(file), value, label, timeoutMs: SETTLE_MS });
    }
  }
  await ingest.settle({ timeoutMs: SETTLE_MS });
  const viewer = createViewerOfEverything();
  for (const { file, label, route } of manifest.documents) {
    const headers = createHeaders([['Security-Label', label]]);
    await ingest.upload({ route, headers, parts: onePart(path.join(directory, file)), viewer });
  }
  await ingest.settle({ timeoutMs: SETTLE_MS });
  keepConfiguration(directory, settings);
  say(`cairn: loaded the demo set: ${manifest.knowledge.length} graph files, ${manifest.documents.length} documents`);
}

async function* onePart(file: string): AsyncGenerator<UploadPart> {
  yield { filename: path.basename(file), declaredType: undefined, content: createReadStream(file) };
}

/** The data go on to need the users they came with: the directory keeps their configuration. */
function keepConfiguration(directory: string, { dataDirectory }: Settings): void {
  if (dataDirectory === undefined) return;
  const kept = path.join(dataDirectory, STORED_CONFIGURATION);
  if (!existsSync(kept)) copyFileSync(path.join(directory, DEMO_CONFIGURATION), kept);
}

/** A ready line for the shell for the first and the last user of the configuration, whose answers differ. */
export async function demoLines(
  server: CairnServer,
  url: string,
  { auth, server: settings }: Configuration,
): Promise<string[]> {
  const names = Object.keys(auth.users);
  const chosen = auth.mode === 'local' ? [...new Set([names.at(0), names.at(-1)])] : [];
  const lines: string[] = [];
  for (const name of chosen) {
    if (name === undefined) continue;
    const token = await server.issueToken(name);
    lines.push(`# as ${name}:`);
    lines.push(`curl -s -H 'Authorization: Bearer ${token}' '${url}${settings.paths.search}/documents?${DEMO_QUERY}'`);
  }
  return lines;
}
