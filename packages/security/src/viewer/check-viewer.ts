import { checkPort } from '@cairn/errors';

/** @throws `ERR_ARGUMENT` (invalid) unless this is a viewer: nobody is shown anything by mistake */
export function checkViewer(viewer: unknown): void {
  if (!permits(viewer)) checkPort(viewer, 'permits', 'the viewer');
}

/** Cheaper than {@link checkPort}, which has the last word: every read comes through here. */
function permits(viewer: unknown): boolean {
  if (typeof viewer !== 'object' || viewer === null) return false;
  const { permits }: { readonly permits?: unknown } = viewer;
  return typeof permits === 'function';
}
