/** Choosing many files: Shift chooses all between two, and the bar counts them. */
const form = document.querySelector<HTMLFormElement>('#files');
if (form) {
  const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name="media"]')];
  const count = form.querySelector('#files-count');
  const all = form.querySelector<HTMLButtonElement>('#files-all');
  const actions = form.querySelector<HTMLElement>('#files-actions');
  let last = -1;

  const show = (): void => {
    const chosen = boxes.filter(({ checked }) => checked).length;
    if (count) count.textContent = chosen === 0 ? '' : `${chosen} chosen`;
    if (actions) actions.inert = chosen === 0;
    if (!all) return;
    all.hidden = false;
    all.textContent = chosen === boxes.length ? 'Choose none' : 'Choose all';
  };
  // A click on a picture reaches its checkbox as a second click, which has lost the key. Firefox sends none with Shift.
  let isRange = false;
  form.addEventListener('click', (event) => {
    const { target, shiftKey } = event;
    if (!(target instanceof HTMLInputElement)) {
      const box = shiftKey && target instanceof Element && target.closest('label')?.control;
      isRange = Boolean(box);
      if (!box) return;
      event.preventDefault();
      return box.click();
    }
    const at = boxes.indexOf(target);
    if (at === -1) return;
    if ((shiftKey || isRange) && last !== -1)
      for (const box of boxes.slice(Math.min(at, last), Math.max(at, last) + 1)) box.checked = target.checked;
    isRange = false;
    last = at;
    show();
  });
  all?.addEventListener('click', () => {
    const checked = boxes.some((box) => !box.checked);
    for (const box of boxes) box.checked = checked;
    show();
  });
  addEventListener('pageshow', show);
  show();
}
