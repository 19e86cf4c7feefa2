import type { Property } from './meta-box';

const QUARTERS = 3;

/** Makes a property that no file has. */
export type NewProperty = (type: string, body: Uint8Array) => Property;

/**
 * The rotations and mirrors of a picture (`irot`, `imir`) as at most one of each, in this order: some programs apply them
 * in the order of the list, others in this one (ISO/IEC 23000-22, section 7.3.6.7, allows no other). The same properties if
 * nothing has to change.
 */
export function inOrder(turns: readonly Property[], create: NewProperty): readonly Property[] {
  const order = turns.map(({ type }) => type).join(' ');
  if (/^(?:irot)? ?(?:imir)?$/.test(order) && turns.every(isValid)) return turns;
  // Quarter turns counter-clockwise, and then perhaps an exchange of left and right.
  let [quarters, isMirrored] = [0, false];
  for (const { type, body } of turns) {
    const value = body[0] ?? 0;
    if (type === 'irot') quarters += (isMirrored ? -1 : 1) * (value & QUARTERS);
    else {
      // To exchange top and bottom is to exchange left and right after half a turn.
      if ((value & 1) === 0) quarters += 2;
      isMirrored = !isMirrored;
    }
  }
  quarters = ((quarters % 4) + 4) % 4;
  return [
    ...(quarters === 0 ? [] : [create('irot', Uint8Array.of(quarters))]),
    ...(isMirrored ? [create('imir', Uint8Array.of(1))] : []),
  ];
}

/** Whether a property holds its number and zeros, and programs must not ignore it. */
const isValid = ({ type, body, isEssential }: Property): boolean =>
  isEssential && body.length === 1 && ((body[0] ?? 0) & ~(type === 'irot' ? QUARTERS : 1)) === 0;

export const isTurn = ({ type }: Property): boolean => type === 'irot' || type === 'imir';
