import PostalMime, { type Email } from 'postal-mime';

/** A node of the tree that the library builds, as far as it is touched here. */
interface MimeNode {
  readonly childNodes: MimeNode[];
  finalize(): Promise<void>;
  finalizeChildNodes(): Promise<void>;
}

/** How many mails may be in one another. */
const MAX_MIME_DEPTH = 50;

/** Parses a mail. Cost: O(bytes + parts). */
export function parseMail(bytes: Uint8Array): Promise<Email> {
  const parser = new PostalMime({ forceRfc822Attachments: true, maxNestingDepth: MAX_MIME_DEPTH });
  const { root } = parser as PostalMime & { readonly root: MimeNode };
  finalizeEachOnce(root);
  return parser.parse(bytes);
}

/** With every part the library goes through all parts before it, which are done: here it goes on where it was. */
function finalizeEachOnce(node: MimeNode): void {
  let done = 0;
  node.finalizeChildNodes = async () => {
    for (; done < node.childNodes.length; done++) await node.childNodes[done].finalize();
  };
  node.childNodes.push = (...children) => {
    for (const child of children) finalizeEachOnce(child);
    return Array.prototype.push.apply(node.childNodes, children);
  };
}
