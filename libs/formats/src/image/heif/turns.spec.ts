import fc from 'fast-check';
import type { Property } from './meta-box';
import { inOrder } from './turns';

const turn = (type: string, ...body: number[]): Property => ({
  ...{ type, body: Uint8Array.from(body), isEssential: true, index: 1 },
});
const create = (type: string, body: Uint8Array): Property => turn(type, ...body);

/** Where a list of turns moves a corner of a square around 0, 0. */
const moved = (turns: readonly Property[], corner: readonly [number, number]): readonly [number, number] =>
  turns.reduce<readonly [number, number]>(([x, y], { type, body: [value = 0] }) => {
    if (type === 'imir') return (value & 1) === 0 ? [x, -y] : [-x, y];
    let at: readonly [number, number] = [x, y];
    for (let quarters = value & 3; quarters > 0; quarters--) at = [-at[1], at[0]];
    return at;
  }, corner);

describe('inOrder', () => {
  const rotation = fc.integer({ min: 0, max: 255 }).map((value) => turn('irot', value));
  const mirror = fc.integer({ min: 0, max: 255 }).map((value) => turn('imir', value));

  it('turns pictures as the list does, by a rotation at most and then a mirror at most', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(rotation, mirror), { maxLength: 6 }), (turns) => {
        const ordered = inOrder(turns, create);
        expect(ordered.map(({ type }) => type).join()).toMatch(/^(irot)?,?(imir)?$/);
        // Two corners that no turn exchanges with each other.
        for (const corner of [
          [1, 2],
          [-1, 2],
        ] as const)
          expect(moved(ordered, corner)).toEqual(moved(turns, corner));
        expect(inOrder(ordered, create)).toBe(ordered);
      }),
    );
  });

  it.each([[[]], [[turn('irot', 1)]], [[turn('imir', 0)]], [[turn('irot', 3), turn('imir', 1)]]])(
    'keeps a list that is right: %j',
    (turns) => {
      expect(inOrder(turns, create)).toBe(turns);
    },
  );

  it.each([
    ['reserved bits', turn('irot', 0xfd), [1]],
    ['more bytes', turn('irot', 1, 7), [1]],
    ['the permission to ignore it', { ...turn('irot', 1), isEssential: false }, [1]],
  ])('writes a rotation again that has %s', (_, given, expected) => {
    expect(inOrder([given], create)).toEqual([turn('irot', ...expected)]);
  });
});
