import { BLUE, GRADIENT, line, MARK, places, RED, square, ways, type SvgCell, type Values } from './svg-cell';

const COLOURS: Values = [
  ...[
    'red',
    'RED',
    '#f00',
    '#ff000080',
    'rgb(255,0,0)',
    'rgb(100%,0%,0%)',
    'rgba(255,0,0,.5)',
    'rgb(255 0 0 / 50%)',
  ],
  ...[
    'hsl(120,100%,25%)',
    'hsl(120deg 100% 25%)',
    'hsla(0,100%,50%,.3)',
    'hwb(200 20% 20%)',
    'lab(50% 40 59)',
  ],
  ...[
    'lch(52% 72 50)',
    'oklch(60% .15 50)',
    'oklab(59% .1 .1)',
    'color(srgb 1 .5 0)',
    'color(display-p3 1 0 0)',
  ],
  ...[
    'transparent',
    'currentColor',
    'none',
    'inherit',
    'initial',
    'unset',
    'revert',
    'CanvasText',
    'no-colour',
    '',
  ],
  ...[
    'url(#none)',
    'url(#none) green',
    'url("#g")',
    "url('#g') red",
    'light-dark(red,blue)',
    'var(--none)',
    'var(--none,green)',
  ],
];

const LENGTHS: Values = [
  ...[
    '40',
    '40px',
    '10mm',
    '1cm',
    '.4in',
    '30pt',
    '2pc',
    '2em',
    '4ex',
    '2rem',
    '40%',
    '40vw',
    '30vh',
    '4ch',
    '40q',
  ],
  ...['4e1', '+40', '-40', '0', '1e9', 'NaN', 'auto', '40 50', '40foo', 'calc(20px + 20px)', 'inherit', ''],
];

const TRANSFORMS: Values = [
  ...['translate(20)', 'translate(20,10)', 'translate(20px,10px)', 'translateX(20px)', 'translate(20%,0)'],
  ...[
    'scale(.5)',
    'scale(.5,2)',
    'scale(-1,1)',
    'scaleY(.5)',
    'scale(0)',
    'rotate(30)',
    'rotate(30deg)',
    'rotate(.1turn)',
  ],
  ...[
    'rotate(30 50 50)',
    'skewX(20)',
    'skewY(20deg)',
    'skew(10deg,20deg)',
    'matrix(1 0 0 1 20 10)',
    'matrix(1,.2,-.2,1,9,9)',
  ],
  ...[
    'matrix(0 0 0 0 0 0)',
    'none',
    'inherit',
    'initial',
    'unset',
    'rotate(30) translate(9 9)',
    'rotate(30),scale(.5)',
  ],
  ...[
    'translate3d(20px,9px,0)',
    'rotateZ(20deg)',
    'perspective(9px)',
    'translate(a)',
    'rotate(',
    'TRANSLATE(20)',
    '',
  ],
];

const properties = (): SvgCell[] => [
  ...places('fill', COLOURS, (attributes) => `${GRADIENT}${square(attributes)}`),
  ...places('stroke', COLOURS, (attributes) => `${GRADIENT}${square(`stroke-width="10" ${attributes}`)}`),
  ...places('transform', TRANSFORMS, (attributes) => `<g ${attributes}>${MARK}</g>`),
  ...places(
    'opacity',
    ['.5', '50%', '0', '1', '2', '-1', 'inherit', 'calc(.5)', 'x'],
    (a) => `${BLUE}<g ${a}>${RED}</g>`,
  ),
  ...places('fill-opacity', ['.5', '50%', '0', '2', 'x'], square),
  ...places('display', ['none', 'NONE', 'inline', 'block', 'contents', 'grid', 'inherit', 'x', ''], square),
  ...places('visibility', ['hidden', 'collapse', 'visible', 'HIDDEN', 'initial', 'x'], square),
  ...places(
    'clip-path',
    [
      'url(#c)',
      'url(#none)',
      'none',
      'circle(20px)',
      'circle(30%)',
      'inset(10px)',
      'polygon(0 0,50px 0,0 50px)',
      'url(#c) view-box',
    ],
    (a) => `<clipPath id="c"><circle cx="50" cy="50" r="30"/></clipPath><g ${a}>${RED}</g>`,
  ),
  ...places(
    'mask',
    ['url(#m)', 'url(#none)', 'none', 'url(#m) luminance', 'linear-gradient(#000,#000)'],
    (a) => `<mask id="m"><circle cx="50" cy="50" r="30" fill="#fff"/></mask><g ${a}>${RED}</g>`,
  ),
  ...places(
    'mask-type',
    ['alpha', 'luminance', 'x'],
    (a) =>
      `<mask id="m" ${a}><circle cx="50" cy="50" r="30" fill="#888"/></mask><g mask="url(#m)">${RED}</g>`,
  ),
  ...places(
    'filter',
    [
      'url(#f)',
      'url(#none)',
      'none',
      'blur(5px)',
      'blur(5)',
      'grayscale(1)',
      'invert(1)',
      'invert(50%)',
      'sepia(1)',
      'hue-rotate(90deg)',
      'saturate(.2)',
      'brightness(.5)',
      'contrast(.5)',
      'opacity(.5)',
      'opacity(0)',
      'drop-shadow(5px 5px 2px black)',
      'drop-shadow(black 5px 5px)',
      'invert(1) blur(2px)',
      'url(#f) opacity(.5)',
      'url(#none) opacity(.5)',
    ],
    (a) => `<filter id="f"><feOffset dx="9"/></filter><g ${a}>${MARK}</g>`,
  ),
  ...places(
    'mix-blend-mode',
    [
      'multiply',
      'screen',
      'difference',
      'exclusion',
      'hue',
      'luminosity',
      'color-dodge',
      'plus-lighter',
      'x',
    ],
    (a) => `${BLUE}<g ${a}>${MARK}</g>`,
  ),
  ...places('stroke-width', LENGTHS, (a) => `<path d="M20 20L80 30L30 80" fill="none" stroke="#08c" ${a}/>`),
  ...places('stroke-dasharray', ['5', '5,10', '5 10 2', '10%', '5px 2px', '0', '-5', 'none', '1em'], line),
  ...places('stroke-dashoffset', ['5', '-5', '10%', '1em', 'x'], (a) => line(`stroke-dasharray="15" ${a}`)),
  ...places('stroke-linecap', ['round', 'square', 'butt', 'x'], line),
  ...places('stroke-linejoin', ['round', 'bevel', 'miter', 'miter-clip', 'arcs', 'x'], line),
  ...places('stroke-miterlimit', ['1', '2', '10', '0', 'x'], line),
  ...places(
    'fill-rule',
    ['evenodd', 'nonzero', 'x'],
    (a) => `<path d="M10 10h80v80h-80zM30 30h40v40h-40z" ${a}/>`,
  ),
  ...places('paint-order', ['stroke', 'fill', 'stroke fill', 'markers', 'normal', 'x'], (a) =>
    square(`fill="red" stroke="#0f0" stroke-width="20" ${a}`),
  ),
  ...places(
    'overflow',
    ['visible', 'hidden', 'scroll', 'auto', 'clip'],
    (a) => `<svg x="20" y="20" width="40" height="40" ${a}>${MARK}</svg>`,
  ),
  ...places(
    'transform-origin',
    ['50% 50%', '50px 50px', 'center', 'left top', 'bottom right', '50', '10 20', 'top', 'x'],
    (a) => `<g transform="rotate(30)" ${a}>${MARK}</g>`,
  ),
  ...places(
    'transform-box',
    ['fill-box', 'view-box', 'stroke-box', 'content-box', 'border-box'],
    (a) =>
      `<rect x="20" y="20" width="40" height="20" fill="red" style="transform:rotate(30deg);transform-origin:center" ${a.startsWith('style') ? a.replace('style="', 'data-x="') : a}/>`,
  ),
];

const geometry = (): SvgCell[] =>
  [
    ['x', (a: string) => `<rect y="10" width="40" height="40" fill="red" ${a}/>`],
    ['width', (a: string) => `<rect x="10" y="10" height="40" fill="red" ${a}/>`],
    ['rx', (a: string) => `<rect x="10" y="10" width="80" height="60" fill="red" ${a}/>`],
    ['r', (a: string) => `<circle cx="50" cy="50" fill="red" ${a}/>`],
    ['cx', (a: string) => `<circle cy="50" r="20" fill="red" ${a}/>`],
    ['x2', (a: string) => `<line x1="5" y1="5" y2="80" stroke="red" stroke-width="9" ${a}/>`],
    ['font-size', (a: string) => `<svg ${a}><rect width="1em" height="2em" fill="red"/></svg>`],
  ].flatMap(([property, content]) =>
    places(property as string, LENGTHS, content as (attributes: string) => string),
  );

const PATHS: Values = [
  ...[
    'M10 10h80v80h-80z',
    'M10,10L90,10 90,90',
    'm10 10 80 0 0 80z',
    'M10 10H90V90',
    'M10 90Q50 -50 90 90',
    'M10 90Q30 10 50 50T90 50',
  ],
  ...[
    'M10 90C10 10 90 10 90 90',
    'M10 50C10 10 50 10 50 50S90 90 90 50',
    'M10 50A40 40 0 0 1 90 50',
    'M10 50a40 40 0 1 0 80 0',
    'M10 50A40 20 30 1190 50',
  ],
  ...[
    'M10 50A0 40 0 0 1 90 50',
    'M10 10h80v80h-80',
    'M10 10',
    'M10 10z',
    'M10 10L',
    'h80v80',
    'M10 10 90 90',
    'M10-10L90.5.5.5 90',
    'M1e1 1e1L9e1 90z',
  ],
  ...[
    'M10 10h100.',
    'M10 10h1,v1',
    'M10 10 L90 90 x',
    'M10 10L90 90 L10 NaN',
    'M10 10 L 90 10 90 90 Z L 10 90',
    '',
    'none',
    'M 10 , 10 L 90 , 90 L 10 , 90',
  ],
];
const POINTS: Values = [
  '10 10 90 10 90 90',
  '10,10,90,10 90,90',
  '10 10 90',
  '10 10 90 90 5',
  '',
  '10 10,',
  '10 10 a 90 90',
  '1e1 10 90 90 10 90',
];

const shapes = (): SvgCell[] =>
  ways([
    ['path', PATHS, (d) => `<path d="${d}" fill="#08c" stroke="red" stroke-width="4"/>`],
    [
      'polyline',
      POINTS,
      (points) => `<polyline points="${points}" fill="#08c" stroke="red" stroke-width="4"/>`,
    ],
    [
      'polygon',
      POINTS,
      (points) => `<polygon points="${points}" fill="#08c" stroke="red" stroke-width="4"/>`,
    ],
    [
      'path length',
      ['100', '10', '0', '-5', 'x'],
      (value) =>
        `<circle cx="50" cy="50" r="40" fill="none" stroke="red" stroke-width="9" stroke-dasharray="25 75" pathLength="${value}"/>`,
    ],
  ]);

/** Values of properties, geometry and path data. */
export const propertyCells = (): SvgCell[] => [...properties(), ...geometry(), ...shapes()];
