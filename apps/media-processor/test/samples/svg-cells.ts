import type { SvgCell } from './svg-cell';
import { propertyCells } from './svg-property-cells';
import { referenceCells } from './svg-reference-cells';
import { structureCells } from './svg-structure-cells';

/** Single drawings, each of which uses one construct that programs might draw in two ways. */
export const svgCells = (): SvgCell[] => [...propertyCells(), ...structureCells(), ...referenceCells()];

/** Drawings that look different after the upload, with the reason; docs/moderation.md describes the kinds. */
export const CHANGED_BY_UPLOAD: readonly { readonly names: RegExp; readonly why: string }[] = [
  { names: /^(?:text|tspan)|clip of text/, why: 'Texts are outlines in our fonts; visitors have others.' },
  { names: /light-dark|CanvasText/, why: 'The viewer chooses these colours.' },
  { names: /clip-path = (?:circle|inset|polygon)/, why: 'Shapes of CSS are not applied.' },
  {
    names: /feTurbulence|feDisplacementMap|feDiffuseLighting|feSpecularLighting|feMorphology/,
    why: 'Drawn by resvg.',
  },
  { names: /feImage|primitiveUnits|filterUnits="userSpaceOnUse"/, why: 'Drawn by resvg.' },
  {
    names: /plus-lighter|mix-blend-mode = (?:hue|saturation|color$|luminosity)/,
    why: 'Drawn by resvg, or unknown to it.',
  },
  { names: /4ex|4ch/, why: 'Lengths by letters depend on the font.' },
  {
    names: /blur\(5\)|font-size = -40|width = inherit|h100\.|path length = (?:0|x)|fr="\.6"/,
    why: 'Invalid values.',
  },
  { names: /attribute x2 = calc|sheet with nesting/, why: 'Not computed.' },
  { names: /viewBox="0 0 0 0"|root transform/, why: 'The root always shows the whole drawing.' },
  { names: /foreignObject/, why: 'HTML is removed.' },
];
