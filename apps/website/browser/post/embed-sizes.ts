/** Replaces the size in embed codes by the one that is chosen above them. `data-before`: the index of the size in the codes. */
export function enableEmbedSizes(): void {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.matches('[data-embed-size]')) return;
    const before = target.options[Number(target.dataset['before'])]!;
    const html = before.dataset['html']!;
    const newHtml = target.selectedOptions[0]!.dataset['html']!;
    for (const field of target.closest('[data-embed]')!.querySelectorAll('input')) {
      // The HTML contains the addresses of all sizes.
      field.value = field.value.includes(html)
        ? field.value.replace(html, () => newHtml)
        : field.value.replace(before.value, () => target.value);
    }
    target.dataset['before'] = String(target.selectedIndex);
  });
}
