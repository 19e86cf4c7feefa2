/** Takes the files of a field as soon as they are chosen, also those that were chosen before the page's script had loaded. */
export function takeChosenFiles(input: HTMLInputElement, take: (files: readonly File[]) => void): void {
  const takeThem = (): void => {
    const files = [...(input.files ?? [])];
    // Allows choosing the same file again.
    input.value = '';
    if (files.length > 0) take(files);
  };
  input.addEventListener('change', takeThem);
  takeThem();
}
