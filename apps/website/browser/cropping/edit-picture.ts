import { FormError } from '../dom/forms';
import type { EditOptions } from './crop-dialog';

/**
 * Lets the visitor rotate and crop a picture in a dialog. Resolves with a new file; with null if the visitor cancels or
 * changes nothing. Throws `FormError` if the browser can't do it.
 */
export async function editPicture(file: File, options: EditOptions): Promise<File | null> {
  const { showCropDialog } = await import('./crop-dialog').catch(() => {
    throw new FormError('There is no connection. Try again in a moment.', 0);
  });
  return showCropDialog(file, options);
}
