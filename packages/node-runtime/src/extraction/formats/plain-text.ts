import { decodeText } from '../charset/text.ts';
import { TooMuchTextError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';

/** Plain text in any charset, as it is; line ends become `\n`. */
export const readPlainText: FormatReader = ({ bytes, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxTextBytes) throw new TooMuchTextError('the text', limits.maxTextBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared });
  out.appendVerbatim(text.replaceAll(/\r\n?/g, '\n'));
  return { metadata: { charset } };
};
