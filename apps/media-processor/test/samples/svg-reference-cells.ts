import { BLUE, cell, MARK, RED, type SvgCell } from './svg-cell';

const references = (): SvgCell[] => [
  ...['#u', '#none', 'other.svg#u', '#u ', '#%75', ' #u', ''].flatMap((link) =>
    ['href', 'xlink:href'].map((name) =>
      cell(`use by ${name} ${link}`, `<defs><g id="u">${MARK}</g></defs><use ${name}="${link}"/>`),
    ),
  ),
  ...[
    'x="20"',
    'x="20" y="20" width="40" height="40"',
    'transform="scale(.5)"',
    'fill="red" style="opacity:.5"',
  ].flatMap((a) =>
    [
      'g',
      'symbol',
      'symbol viewBox="0 0 50 50"',
      'svg width="50" height="50"',
      'svg x="9" y="9" width="50" height="50" viewBox="0 0 200 200"',
    ].map((tag) =>
      cell(
        `use ${a} of ${tag}`,
        `<defs><${tag} id="u">${MARK}</${tag.split(' ')[0]}></defs><use href="#u" ${a}/>`,
      ),
    ),
  ),
  ...[
    'opacity=".4"',
    'transform="translate(20 20)"',
    'display="none"',
    'x="20"',
    'overflow="visible" viewBox="0 0 50 50"',
    'clip-path="url(#none)"',
    'style="transform:rotate(20deg)"',
  ].map((a) => cell(`symbol ${a}`, `<symbol id="u" ${a}>${MARK}</symbol><use href="#u"/>`)),
  cell(
    'use that shows itself',
    `${BLUE}<g id="u"><rect width="50" height="50" fill="red"/><use href="#u" x="9"/></g>`,
  ),
  cell(
    'two uses that show each other',
    `${BLUE}<g id="u"><use href="#v"/></g><g id="v"><use href="#u"/>${RED}</g>`,
  ),
  cell(
    'two elements of one id',
    `<rect id="u" width="30" height="30"/><circle id="u" cx="70" cy="70" r="20"/><use href="#u" x="40"/>`,
  ),
  ...['userSpaceOnUse', 'objectBoundingBox'].flatMap((units) =>
    [
      '',
      'transform="translate(.2 .1)"',
      'transform="rotate(20)"',
      'clip-path="url(#d)"',
      'display="none"',
      'opacity="0"',
    ].map((a) =>
      cell(
        `clip ${units} ${a}`,
        `<clipPath id="d"><rect width="70" height="70"/></clipPath><clipPath id="c" clipPathUnits="${units}" ${a}><${units === 'userSpaceOnUse' ? 'circle cx="50" cy="50" r="30"' : 'circle cx=".5" cy=".5" r=".3"'}/></clipPath><g clip-path="url(#c)" transform="rotate(10)">${RED}</g>`,
      ),
    ),
  ),
  cell('a clip of nothing', `<clipPath id="c"/><g clip-path="url(#c)">${RED}</g>`),
  cell(
    'a clip of text',
    `<clipPath id="c"><text x="10" y="60" font-size="60">AB</text></clipPath><g clip-path="url(#c)">${RED}</g>`,
  ),
  cell(
    'a clip that clips itself',
    `${BLUE}<clipPath id="c" clip-path="url(#c)"><rect width="50" height="50"/></clipPath><g clip-path="url(#c)">${RED}</g>`,
  ),
  cell(
    'a mask that masks itself',
    `${BLUE}<mask id="m" mask="url(#m)"><rect width="50" height="50" fill="#fff"/></mask><g mask="url(#m)">${RED}</g>`,
  ),
  ...[
    'maskUnits="userSpaceOnUse" x="20" y="20" width="40" height="40"',
    'maskContentUnits="objectBoundingBox"',
    'x="0" y="0" width=".5" height=".5"',
    'style="mask-type:alpha"',
  ].map((a) =>
    cell(
      `mask ${a}`,
      `<mask id="m" ${a}><rect width="50" height="90" fill="#fff" fill-opacity=".7"/><rect width=".5" height=".9" fill="#888"/></mask><g mask="url(#m)">${RED}</g>`,
    ),
  ),
  ...['auto', '45', 'auto-start-reverse', '1rad'].flatMap((orient) =>
    [
      '',
      'markerUnits="userSpaceOnUse"',
      'viewBox="0 0 20 20" refX="10" refY="10"',
      'overflow="visible"',
      'display="none"',
      'refX="center"',
    ].map((a) =>
      cell(
        `marker ${orient} ${a}`,
        `<marker id="k" markerWidth="6" markerHeight="6" orient="${orient}" ${a}><path d="M0 0L6 3L0 6z" fill="red"/></marker><path d="M20 20L70 30L40 80" fill="none" stroke="#08c" stroke-width="4" marker-start="url(#k)" marker-mid="url(#k)" marker-end="url(#k)"/>`,
      ),
    ),
  ),
  cell(
    'markers by shorthand',
    `<marker id="k" markerWidth="6" markerHeight="6"><rect width="5" height="5" fill="red"/></marker><path d="M20 20L70 30L40 80" fill="none" stroke="#08c" stroke-width="4" style="marker:url(#k)"/>`,
  ),
];

const filters = (): SvgCell[] =>
  [
    '<feGaussianBlur stdDeviation="4"/>',
    '<feGaussianBlur stdDeviation="4 0"/>',
    '<feOffset dx="9" dy="-5"/>',
    '<feFlood flood-color="red" flood-opacity=".5"/>',
    '<feFlood flood-color="red" x="10" y="10" width="30" height="30"/>',
    '<feColorMatrix type="saturate" values=".2"/>',
    '<feColorMatrix type="hueRotate" values="90"/>',
    '<feColorMatrix type="luminanceToAlpha"/>',
    '<feColorMatrix values="0 1 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 1 0"/>',
    '<feColorMatrix values="1 2"/>',
    '<feMorphology radius="3"/>',
    '<feMorphology operator="dilate" radius="3"/>',
    '<feFlood flood-color="red" result="a"/><feBlend in="SourceGraphic" in2="a" mode="multiply"/>',
    '<feFlood flood-color="red"/><feComposite in2="SourceAlpha" operator="in"/>',
    '<feFlood flood-color="red"/><feComposite in2="SourceGraphic" operator="arithmetic" k2=".5" k3=".5"/>',
    '<feOffset dx="9" result="a"/><feMerge><feMergeNode in="a"/><feMergeNode in="SourceGraphic"/></feMerge>',
    '<feDropShadow dx="6" dy="6" stdDeviation="2" flood-color="red"/>',
    '<feTurbulence baseFrequency=".05" numOctaves="2"/>',
    '<feTurbulence type="fractalNoise" baseFrequency=".1" seed="5" stitchTiles="stitch"/>',
    '<feComponentTransfer><feFuncR type="gamma" exponent=".5"/><feFuncG type="linear" slope=".5"/><feFuncB type="discrete" tableValues="0 1"/></feComponentTransfer>',
    '<feConvolveMatrix order="3" kernelMatrix="0 -1 0 -1 5 -1 0 -1 0"/>',
    '<feDiffuseLighting surfaceScale="5" lighting-color="#ffa"><feDistantLight azimuth="45" elevation="45"/></feDiffuseLighting>',
    '<feSpecularLighting specularExponent="10"><fePointLight x="50" y="50" z="40"/></feSpecularLighting>',
    '<feTurbulence baseFrequency=".05" result="t"/><feDisplacementMap in="SourceGraphic" in2="t" scale="20"/>',
    '<feOffset dx="10" x="20" y="20" width="30" height="30"/><feTile/>',
    '<feImage href="#u"/>',
    '<feUnknown/>',
    '',
  ].flatMap((steps) =>
    [
      '',
      'filterUnits="userSpaceOnUse" x="0" y="0" width="60" height="60"',
      'color-interpolation-filters="sRGB"',
      'primitiveUnits="objectBoundingBox"',
    ].map((a) =>
      cell(
        `filter ${a} ${steps}`,
        `<filter id="f" ${a}>${steps}</filter><g id="u" filter="url(#f)">${MARK}</g>`,
      ),
    ),
  );

/** References between elements, and filters. */
export const referenceCells = (): SvgCell[] => [...references(), ...filters()];
