import { checkObject } from '@cairn/errors';
import type { OntologyModel } from '../model/ontology-model.ts';
import type { ResolvedStyle } from '../resolve/resolved-style.ts';
import { createStyleResolver } from '../resolve/style-resolver.ts';
import type { Theme } from '../style/style.ts';
import { SHAPE_CLIPS } from './shape-clips.ts';

/** Edge of a node in CSS pixels, by size. */
const SIZES = { S: 40, M: 64, L: 88 } as const;

const THEMES: readonly { readonly theme: Theme; readonly page: string; readonly text: string }[] = [
  { theme: 'dark', page: '#121212', text: '#EEEEEE' },
  { theme: 'light', page: '#FFFFFF', text: '#121212' },
];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character]);
}

/** Options of {@link createPreviewPage}. */
export interface PreviewOptions {
  /** Heading of the page. Default `Styles`. */
  readonly title?: string;
  /** Show what classes inherit along subClassOf, too. Default false: classes with a style of their own. */
  readonly inherit?: boolean;
}

/**
 * A page that shows every styled class in both themes and in every size. It is self-contained: no script, no font,
 * nothing fetched; icons are shown by their fallback text, with their classes beneath. What an author wrote is escaped.
 */
export function createPreviewPage(ontology: OntologyModel, options: PreviewOptions = {}): string {
  checkObject(options, 'the options');
  const styles = createStyleResolver(ontology, { inherit: options.inherit ?? false }).resolveAll();
  const styled = styles.filter(({ source }) => source !== undefined);
  const title = escapeHtml(options.title ?? 'Styles');
  const sections = THEMES.map(({ theme, page, text }) => {
    const figures = styled.map((style) => figure(style, theme)).join('\n');
    return `<section class="${theme}" style="background:${page};color:${text}"><h2>${theme}</h2>\n${figures}\n</section>`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>
body { font: 14px/1.4 system-ui, sans-serif; margin: 0; }
h1, section { padding: 16px; margin: 0; }
figure { display: inline-block; margin: 12px; text-align: center; vertical-align: top; width: 240px; }
.node { display: inline-flex; margin: 4px; box-sizing: border-box; }
.node > span { display: flex; flex: 1; align-items: center; justify-content: center; font-weight: 600; }
code { display: block; font-size: 11px; opacity: 0.8; overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${title}</h1>
${sections.join('\n')}
</body>
</html>
`;
}

function figure(style: ResolvedStyle, theme: Theme): string {
  const nodes = Object.entries(SIZES).map(([size, edge]) => node(style, theme, size, edge));
  const icons = [style.faIcon, style.riIcon]
    .filter((icon) => icon !== undefined)
    .map((icon) => `<code>${escapeHtml(icon)}</code>`);
  const caption = `<figcaption>${escapeHtml(style.alt)}${icons.join('')}<code>${escapeHtml(style.classUri)}</code></figcaption>`;
  return `<figure data-class="${escapeHtml(style.classUri)}">${nodes.join('')}${caption}</figure>`;
}

function node(style: ResolvedStyle, theme: Theme, size: string, edge: number): string {
  const { backgroundColor, color } = style[theme];
  const inside = `background:${backgroundColor};color:${color};font-size:${Math.round(edge / 3)}px`;
  const text = `<span style="${escapeHtml(`${inside};${outlineCss(style)}`)}">${escapeHtml(style.iconFallbackText)}</span>`;
  // The border is what shows of an outer outline around an inner one: a clipped box has no border of its own.
  const outside = `width:${edge}px;height:${edge}px;padding:${style.borderWidth};background:${color}`;
  const title = `${style.alt}, ${size}${size === style.size ? ', its own size' : ''}`;
  const css = escapeHtml(`${outside};${outlineCss(style)}`);
  return `<span class="node" title="${escapeHtml(title)}" style="${css}">${text}</span>`;
}

function outlineCss({ shape, borderRadius }: ResolvedStyle): string {
  if (shape === 'ellipse') return 'border-radius:50%';
  const clip = SHAPE_CLIPS.get(shape);
  if (clip !== undefined) return `clip-path:polygon(${clip})`;
  return shape === 'rectangle' ? '' : `border-radius:min(${borderRadius}, 25%)`;
}
