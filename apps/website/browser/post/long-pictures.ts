/** Hides the choice between a part and all of a long picture while nothing of it is cut off, also from the keyboard. */
export function enableLongPictures(): void {
  watch();
  document.addEventListener('vitrine:replaced', watch);
}

const sizes = new ResizeObserver((entries) => {
  for (const { target: stage } of entries) {
    const choice = stage.querySelector<HTMLElement>('.long-choice');
    const frame = stage.querySelector<HTMLElement>('.frame');
    const isWhole = choice?.querySelector('input')?.checked ?? false;
    if (choice && frame) choice.hidden = !isWhole && frame.offsetHeight <= stage.clientHeight;
  }
});

function watch(): void {
  for (const stage of document.querySelectorAll('.long')) sizes.observe(stage);
}
