import { checkPort } from '@cairn/errors';

/** Refuses what is no viewer: nobody is shown anything by mistake. @throws `ERR_ARGUMENT` (invalid) */
export function checkViewer(viewer: unknown): void {
  checkPort(viewer, 'permits', 'the viewer');
}
