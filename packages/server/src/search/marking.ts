import type { HighlightOptions, SearchRequest } from '@cairn/search';
import { flag, integer, optionalText, type ParametersOf, texts } from '../parameters/parameter.ts';
import { type ParameterSource, parameterFault } from '../parameters/read.ts';

/** How matches are marked, as it was asked for. */
interface MarkingValues {
  readonly highlighting: boolean;
  readonly preTag: string | undefined;
  readonly postTag: string | undefined;
  readonly snippets: boolean;
  readonly snippetFragments: number;
  readonly snippetLength: number;
  readonly snippetFields: readonly string[];
}

export const MARKING: ParametersOf<MarkingValues> = {
  highlighting: flag('highlighting', { description: 'Whether results carry `highlighted`.' }),
  preTag: optionalText('highlighting-pre-tag', {
    description: 'Tag put before highlighted terms, `<em>` by default; only together with the other.',
    example: '<b>',
  }),
  postTag: optionalText('highlighting-post-tag', {
    description: 'Tag put after highlighted terms, `</em>` by default; only together with the other.',
    example: '</b>',
  }),
  snippets: flag('snippets', {
    description: 'Whether results carry `snippets`: the best fragments of text around matches, with the same tags.',
  }),
  snippetFragments: integer('snippet-fragments', {
    description: 'Most fragments of each field.',
    minimum: 1,
    maximum: 20,
    fallback: 3,
  }),
  snippetLength: integer('snippet-length', {
    description: 'Characters of text that a fragment has at most, tags and escapes not counted.',
    minimum: 20,
    maximum: 1000,
    fallback: 150,
  }),
  snippetFields: texts('snippet-fields', {
    description:
      'Paths of the fields that fragments are taken from, comma-separated or repeated; `*` stands for any characters. All by default.',
    commaSeparated: true,
    example: 'content',
  }),
};

/** The marks that a request asks for. @throws `ERR_PARAMETER` (invalid) for one tag without the other */
export function toMarking(
  values: MarkingValues,
  source: ParameterSource,
): Pick<SearchRequest, 'highlight' | 'snippets'> {
  const tags = toTags(values, source);
  const { snippetFragments: fragments, snippetLength: length, snippetFields } = values;
  const fields = snippetFields.length === 0 ? undefined : snippetFields;
  return {
    highlight: values.highlighting && tags,
    snippets: values.snippets && { fragments, length, fields, ...tags },
  };
}

function toTags({ preTag, postTag }: MarkingValues, source: ParameterSource): HighlightOptions {
  if (preTag === undefined && postTag === undefined) return {};
  if (postTag === undefined)
    throw parameterFault(source, 'highlighting-post-tag', 'is required with highlighting-pre-tag');
  if (preTag === undefined)
    throw parameterFault(source, 'highlighting-pre-tag', 'is required with highlighting-post-tag');
  return { preTag, postTag };
}
