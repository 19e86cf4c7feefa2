import { generate } from 'css-tree';
import type { Declaration } from './stylesheet';
import { descendants, elementsById, elementsIn, type SvgElement } from './tree';
import { listOf } from './values';

const ANIMATIONS: ReadonlySet<string> = new Set([
  ...['animate', 'animateColor', 'animateTransform', 'animateMotion', 'set', 'mpath'],
]);

/** The declarations that stay when a CSS animation has ended; none if it ends as it began, or never ends. */
export function endOfAnimation(
  animation: string,
  lastFrames: ReadonlyMap<string, readonly Declaration[]>,
): readonly Declaration[] {
  const ends: Declaration[] = [];
  for (const parts of listOf(animation)) {
    const words = parts.map((part) => (part.type === 'String' ? part.value : generate(part)));
    const stays = words.includes('forwards') || words.includes('both');
    const isForward =
      !words.includes('reverse') && !words.includes('alternate') && !words.includes('infinite');
    const name = words.find((word) => lastFrames.has(word));
    if (stays && isForward && name !== undefined) ends.push(...(lastFrames.get(name) ?? []));
  }
  return ends;
}

/**
 * Removes the animation elements and sets the attributes that they leave when they have ended (`fill="freeze"`, and
 * `set` without an end). An animation that an event starts never runs, and one that never ends leaves nothing.
 */
export function endAnimations(root: SvgElement): void {
  const byId = elementsById(root);
  for (const element of [...descendants(root)]) {
    for (const animation of elementsIn(element).filter(({ name }) => ANIMATIONS.has(name))) {
      const link = animation.attributes.get('href')?.trim();
      const target = link === undefined ? element : byId.get(link.slice(1));
      if (target && leavesValue(animation)) setFinalValue(target, animation);
    }
    element.children = element.children.filter(
      (child) => typeof child === 'string' || !ANIMATIONS.has(child.name),
    );
  }
}

function leavesValue({ name, attributes }: SvgElement): boolean {
  const begin = attributes.get('begin') ?? '0s';
  const startsByItself = begin
    .split(';')
    .some((time) => !/indefinite|click|mouse|focus|key|pointer|activate|accessKey|wallclock/i.test(time));
  const duration = attributes.get('dur');
  const isEndless =
    attributes.get('repeatCount') === 'indefinite' || attributes.get('repeatDur') === 'indefinite';
  if (!startsByItself || attributes.get('restart') === 'never-starts') return false;
  if (name === 'set' && (duration === undefined || duration === 'indefinite') && !attributes.has('end'))
    return true;
  return (
    attributes.get('fill') === 'freeze' && duration !== undefined && duration !== 'indefinite' && !isEndless
  );
}

function setFinalValue({ attributes }: SvgElement, { name, attributes: animation }: SvgElement): void {
  const attribute = animation.get('attributeName');
  const last = animation
    .get('values')
    ?.split(';')
    .map((value) => value.trim())
    .filter(Boolean)
    .at(-1);
  const value = last ?? animation.get('to');
  if (name === 'animateMotion' || attribute === undefined || value === undefined) return;
  if (/^(?:on|xlink:href$|href$|style$|class$)/i.test(attribute)) return;
  if (name === 'animateTransform') {
    const own = animation.get('additive') === 'sum' ? `${attributes.get('transform') ?? ''} ` : '';
    attributes.set('transform', `${own}${animation.get('type') ?? 'translate'}(${value})`);
  } else {
    attributes.set(attribute, value);
    // The end of an animation wins over style sheets.
    attributes.set('style', `${attributes.get('style') ?? ''};${attribute}:${value}!important`);
  }
}
