// Writes the fixtures anew: node test-fixtures/formats/make.mjs
// With --golden also what is read out of them now, by the built packages: read the difference before you commit it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { good } from './make/good.mjs';
import { hostile } from './make/hostile.mjs';

for (const [folder, files] of Object.entries({ good: good(), hostile: hostile() })) {
  const directory = new URL(`./${folder}/`, import.meta.url);
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, directory), content);
}
if (process.argv.includes('--golden')) await writeGolden();

async function writeGolden() {
  const { createExtractionPool } = await import('../../packages/node-runtime/dist/index.js');
  const pool = createExtractionPool({ workers: 1 });
  for (const file of readdirSync(new URL('./golden/', import.meta.url))) {
    const filename = file.slice(0, -'.json'.length);
    const extraction = await pool.extract({ bytes: readFileSync(new URL(`./good/${filename}`, import.meta.url)), filename });
    writeFileSync(new URL(`./golden/${file}`, import.meta.url), `${JSON.stringify(extraction, null, 2)}\n`);
  }
  await pool.close();
}
