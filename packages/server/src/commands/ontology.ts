import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  checkOntology,
  createOntologyModel,
  createPreviewPage,
  type Finding,
  hasSeverity,
  type OntologyModel,
  type OntologySource,
  readOntology,
} from '@cairn/ontology';
import { mediaTypeOfFile } from '@cairn/rdf-graph';
import { usageError } from '../control/operation.ts';
import { type CommandContext, EXIT } from './outcome.ts';

export interface CheckFlags {
  readonly base?: string | undefined;
  readonly format?: string | undefined;
  readonly failOn?: string | undefined;
  readonly stylePredicate?: string | undefined;
}

/** `cairn ontology check FILE...`: 0 nothing that fails, 1 findings that do, 2 called wrongly. */
export async function checkOntologies(
  files: readonly string[],
  flags: CheckFlags,
  { console }: CommandContext,
): Promise<number> {
  const format = oneOf(flags.format ?? 'text', ['text', 'json'], '--format');
  const failOn = oneOf(flags.failOn ?? 'error', ['warning', 'error'], '--fail-on');
  const base = flags.base === undefined ? undefined : await modelOf(flags.base, flags.stylePredicate);
  const options = { base, stylePredicate: flags.stylePredicate };
  const reports = await Promise.all(
    files.map(async (file) => ({ file, findings: await checkOntology(await sourceOf(file), options) })),
  );
  if (format === 'json') console.out(JSON.stringify(reports, null, 2));
  else for (const { file, findings } of reports) for (const finding of findings) console.out(toLine(file, finding));
  const found = reports.flatMap(({ findings }) => findings);
  if (format === 'text') console.err(`cairn: ${summaryOf(files.length, found)}`);
  return hasSeverity(found, failOn) ? EXIT.failure : EXIT.ok;
}

/** `cairn ontology preview FILE`: writes a page with every styled class, beside the file unless told where. */
export async function previewOntology(
  file: string,
  flags: {
    readonly output?: string | undefined;
    readonly inherit?: boolean | undefined;
    readonly stylePredicate?: string | undefined;
  },
  { console }: CommandContext,
): Promise<number> {
  const page = createPreviewPage(await modelOf(file, flags.stylePredicate), {
    title: path.basename(file),
    inherit: flags.inherit ?? false,
  });
  const output = flags.output ?? `${file.slice(0, file.length - path.extname(file).length)}.html`;
  await writeFile(output, page);
  console.out(output);
  return EXIT.ok;
}

async function sourceOf(file: string): Promise<OntologySource> {
  const contentType = mediaTypeOfFile(file);
  if (contentType === undefined)
    throw usageError(`${file}: not a file name of RDF; expected .ttl, .trig, .nt, .nq, .jsonld or .rdf`);
  try {
    return { text: await readFile(file, 'utf8'), contentType, baseIri: `file:///${path.basename(file)}` };
  } catch (cause) {
    throw usageError(`${file}: cannot be read: ${(cause as Error).message}`);
  }
}

async function modelOf(file: string, stylePredicate: string | undefined): Promise<OntologyModel> {
  const { quads, fault } = await readOntology(await sourceOf(file));
  if (fault !== undefined) throw usageError(`${file}: line ${fault.line ?? '?'}: ${fault.message}`);
  return createOntologyModel(quads, { stylePredicate });
}

function toLine(file: string, { line, severity, rule, subject, message, correction }: Finding): string {
  const place = line === undefined ? file : `${file}:${line}`;
  const advice = correction === undefined || message.includes(correction) ? '' : `; write ${correction}`;
  const about = subject === '' ? '' : ` ${subject.startsWith('_:') ? subject : `<${subject}>`}:`;
  return `${place}: ${severity}: ${rule}:${about} ${message}${advice}`;
}

function summaryOf(files: number, findings: readonly Finding[]): string {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  return `${files} files, ${count('error')} errors, ${count('warning')} warnings, ${count('note')} notes`;
}

function oneOf<Word extends string>(value: string, words: readonly Word[], flag: string): Word {
  if (words.includes(value as Word)) return value as Word;
  throw usageError(`${flag} must be ${words.join(' or ')}; got ${value}`);
}
