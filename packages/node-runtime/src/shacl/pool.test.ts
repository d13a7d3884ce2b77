import { parseRdf } from '@cairn/rdf-graph';
import { readReport, type ShaclTask } from '@cairn/rdf-graph/shacl';
import { afterAll, describe, expect, it } from 'vitest';
import { createShaclPool } from './pool.ts';

const pool = createShaclPool({ workers: 1, memoryMb: 256 });
afterAll(() => pool.close());

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const PREFIXES = '@prefix : <http://e/> . @prefix sh: <http://www.w3.org/ns/shacl#> .';

function taskOf(shapes: string, more: Partial<ShaclTask> = {}): ShaclTask {
  return { shapes: bytes(PREFIXES + shapes), contentType: 'text/turtle', reportType: 'text/turtle', ...more };
}

const NAMED = ':S sh:targetSubjectsOf :knows ; sh:property [ sh:path :name ; sh:minCount 1 ; sh:message "a name" ] .';

describe('the pool of validators', () => {
  it('validates data against shapes and writes the report in the media type asked for', async () => {
    const data = bytes('<http://e/a> <http://e/knows> <http://e/b> .');
    const { conforms, report } = await pool.run(taskOf(NAMED, { data, reportType: 'application/ld+json' }));
    expect(conforms).toBe(false);
    const quads = [];
    for await (const quad of parseRdf(report, { contentType: 'application/ld+json' })) quads.push(quad);
    expect(readReport(quads).results).toMatchObject([{ focusNode: 'http://e/a', message: 'a name' }]);
  });

  it('hands on the errors of the shapes with their code and position', async () => {
    await expect(pool.run(taskOf(':S sh:minCount "many" .'))).rejects.toMatchObject({ code: 'ERR_SHACL_SHAPES' });
    await expect(pool.run(taskOf(':S sh:minCount ]'))).rejects.toMatchObject({
      code: 'ERR_RDF_SYNTAX',
      position: { line: 1 },
    });
  });

  it('stops a run whose time is over and serves the next one', async () => {
    // Every shape validates the next one twice: two to the fortieth validations.
    const steps = Array.from({ length: 40 }, (_, i) => `:S${i} sh:and ( :S${i + 1} :S${i + 1} ) .`);
    const endless = `${steps.join('\n')} :S40 sh:nodeKind sh:IRI . :S0 sh:targetNode :x .`;
    await expect(pool.run(taskOf(endless), { timeLimitMs: 1500 })).rejects.toMatchObject({ kind: 'timeout' });
    expect((await pool.run(taskOf(NAMED))).conforms).toBe(true);
  });

  it('stops a run that its caller withdraws', async () => {
    const controller = new AbortController();
    const running = pool.run(taskOf(NAMED), { signal: controller.signal });
    controller.abort();
    await expect(running).rejects.toMatchObject({ kind: 'cancelled' });
  });
});
