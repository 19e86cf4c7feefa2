/** An element of the page that its script can't do without. Throws where it is missing, or another kind of element. */
export function byId<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`The page has no #${id} of this kind.`);
}

/** A part of `whole`, by its selector. Throws where it is missing, or another kind of element. */
export function part<Kind extends HTMLElement>(
  whole: ParentNode,
  selector: string,
  kind: abstract new () => Kind,
): Kind {
  const element = whole.querySelector(selector);
  if (element instanceof kind) return element;
  throw new TypeError(`There is no ${selector} of this kind.`);
}
