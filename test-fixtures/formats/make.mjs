// Writes the fixtures anew: node test-fixtures/formats/make.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { good } from './make/good.mjs';
import { hostile } from './make/hostile.mjs';

for (const [folder, files] of Object.entries({ good: good(), hostile: hostile() })) {
  const directory = new URL(`./${folder}/`, import.meta.url);
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(new URL(name, directory), content);
}
