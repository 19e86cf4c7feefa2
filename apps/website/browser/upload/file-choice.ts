import { enableFileDrops } from '../dom/file-drops';

/** Accepts files that are chosen, pasted, or dropped anywhere on the page. */
export function enableFileChoice(input: HTMLInputElement, take: (files: readonly File[]) => void): void {
  const takeChosen = (): void => {
    const files = [...(input.files ?? [])];
    if (files.length > 0) take(files);
    // Allows choosing the same file again.
    input.value = '';
  };
  input.addEventListener('change', takeChosen);
  // On a slow connection, before this script has loaded.
  takeChosen();
  document.getElementById('upload-add')?.addEventListener('click', () => input.click());
  enableFileDrops(take);
}
