import { takeChosenFiles } from '../dom/chosen-files';
import { enableFileDrops } from '../dom/file-drops';

/** Accepts files that are chosen, pasted, or dropped anywhere on the page. */
export function enableFileChoice(input: HTMLInputElement, take: (files: readonly File[]) => void): void {
  takeChosenFiles(input, take);
  document.getElementById('upload-add')?.addEventListener('click', () => input.click());
  enableFileDrops(take);
}
