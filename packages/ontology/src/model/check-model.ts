import { badArgument, checkObject } from '@cairn/errors';

/** @throws `ERR_ARGUMENT` (invalid) for what is no model as `createOntologyModel` makes it. */
export function checkModel(ontology: unknown): void {
  checkObject(ontology, 'the ontology');
  const { resources } = ontology as { readonly resources: unknown };
  if (!(resources instanceof Map))
    throw badArgument('the ontology', 'a model as createOntologyModel makes it', ontology);
}
