/** A required element of the page. Throws if it is missing or of another type. */
export function byId<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no #${id} of this kind.`);
}

/** A required element within `whole`. Throws if it is missing or of another type. */
export function part<Kind extends HTMLElement>(
  whole: ParentNode,
  selector: string,
  kind: abstract new () => Kind,
): Kind {
  const element = whole.querySelector(selector);
  if (element instanceof kind) return element;
  throw new TypeError(`There is no ${selector} of this kind.`);
}
