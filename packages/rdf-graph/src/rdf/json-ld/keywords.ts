const KEYWORDS: ReadonlySet<string> = new Set(
  `@base @container @context @default @direction @embed @explicit @graph @id @import @included @index @json @language @list
  @nest @none @omitDefault @prefix @preserve @propagate @protected @requireAll @reverse @set @type @value @version @vocab`.split(
    /\s+/,
  ),
);

export function isKeyword(text: string | null | undefined): boolean {
  return typeof text === 'string' && text.charCodeAt(0) === 64 && KEYWORDS.has(text);
}

/** True for what later versions may make a keyword: it is passed over. */
export function isLikeKeyword(text: string): boolean {
  return text.charCodeAt(0) === 64 && /^@[a-zA-Z]+$/.test(text) && !KEYWORDS.has(text);
}
