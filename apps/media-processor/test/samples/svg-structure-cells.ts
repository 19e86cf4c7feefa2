import { BLUE, CELL_EDGE, cell, GRADIENT, MARK, square, type SvgCell, type Values } from './svg-cell';

const SELECTORS: Values = [
  ...[
    'rect',
    '.a',
    '#i',
    'g rect',
    'g > rect',
    'svg rect',
    '[data-x]',
    '[data-x="1"]',
    '[data-x^="1"]',
    '[data-x$="1"]',
    '[data-x*="1"]',
    '[data-x~="1"]',
  ],
  ...[
    '[data-x|="1"]',
    '[data-x="1" i]',
    ':first-child',
    ':last-child',
    ':nth-child(2)',
    ':nth-child(odd)',
    ':nth-of-type(1)',
    ':only-child',
    ':root rect',
    ':not(.b)',
  ],
  ...[
    ':is(.a,.b)',
    ':where(.a)',
    ':has(*)',
    'circle + rect',
    'circle ~ rect',
    '*',
    'rect.a',
    'rect#i.a',
    '.a.b',
    ':hover',
    ':link',
    '::before',
    'RECT',
    'svg|rect',
  ],
  ...[
    '.a, .zz',
    '.a,',
    '> rect',
    'g:has(.a) rect',
    ':empty',
    ':lang(en)',
    ':scope rect',
    '@media print',
    '.A',
    '#I',
    'rect:not(:first-child)',
    ':nth-last-child(1)',
  ],
];

const sheets = (): SvgCell[] => [
  ...SELECTORS.map((selector) =>
    cell(
      `selector ${selector}`,
      `<style>rect{fill:blue} ${selector}{fill:red}</style><g><circle r="9"/><rect id="i" class="a" data-x="1" width="99" height="99"/></g>`,
    ),
  ),
  ...[
    ['specificity', '#i{fill:red}.a.a.a{fill:blue}rect{fill:green}'],
    ['order', '.a{fill:blue}.a{fill:red}'],
    ['importance', '.a{fill:red!important}#i{fill:blue}'],
    ['variables', ':root{--x:red;--y:var(--x)}.a{fill:var(--y)}'],
    ['variables in circles', ':root{--x:var(--y);--y:var(--x)}.a{fill:var(--x,red)}'],
    ['overridden variables', ':root{--x:blue}.a{--x:red}rect{fill:var(--x)}'],
    ['media that is met', '@media screen{.a{fill:red}}'],
    ['media that is not met', '@media print{.a{fill:red}}'],
    ['layers', '@layer x{.a{fill:red}}'],
    ['an invalid declaration', '.a{fill:red;fill:nonsense(1);fill:12}'],
    ['an unclosed rule', '.a{fill:red'],
    ['comments', '/* x */.a/* y */{/* z */fill:/**/red/* } */}'],
    ['escapes', '.\\61 {fill:red}'],
    ['an import', '@import "x.css";.a{fill:red}'],
    ['CDATA markers', '<!-- .a{fill:red} -->'],
    ['nesting', 'g{.a{fill:red}}'],
    ['supports', '@supports (fill:red){.a{fill:red}}'],
  ].map(([name = '', css = '']) =>
    cell(
      `sheet with ${name}`,
      `<style><![CDATA[${css}]]></style><g><rect id="i" class="a" width="99" height="99"/></g>`,
    ),
  ),
  ...['text/css', '', 'text/less', 'TEXT/CSS'].map((type) =>
    cell(`sheet of type ${type}`, `<style type="${type}">rect{fill:red}</style>${square('')}`),
  ),
];

const servers = (): SvgCell[] => {
  const used = (definition: string, paint = 'url(#p)'): string =>
    `<defs>${definition}</defs><rect x="10" y="10" width="80" height="60" fill="${paint}" stroke="${paint}" stroke-width="10"/>`;
  const stops =
    '<stop offset=".2" stop-color="red"/><stop offset="80%" stop-color="blue" stop-opacity=".5"/>';
  const linear = [
    '',
    'x1="1" x2="0"',
    'x1="10%" x2="50%" spreadMethod="reflect"',
    'x1="20" x2="40" gradientUnits="userSpaceOnUse" spreadMethod="repeat"',
    'gradientTransform="rotate(45)"',
    'x1=".5" x2=".5"',
    'gradientUnits="x"',
  ];
  const radial = [
    '',
    'r="0"',
    'r="-1"',
    'r=".3" spreadMethod="repeat"',
    'fx=".2" fy=".2"',
    'fx="2"',
    'fr=".2"',
    'fr=".2" fx=".4"',
    'fr=".6"',
    'cx="50" cy="40" r="30" gradientUnits="userSpaceOnUse"',
    'gradientTransform="scale(.5)"',
  ];
  const pattern = [
    'width="20" height="20" patternUnits="userSpaceOnUse"',
    'width=".2" height=".2"',
    'x="5" y="5" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(30)"',
    'width="20" height="20" patternUnits="userSpaceOnUse" viewBox="0 0 50 50"',
    'width="0" height="20"',
    'width=".5" height=".5" patternContentUnits="objectBoundingBox"',
  ];
  return [
    ...linear.map((a) =>
      cell(`linear gradient ${a}`, used(`<linearGradient id="p" ${a}>${stops}</linearGradient>`)),
    ),
    ...radial.map((a) =>
      cell(`radial gradient ${a}`, used(`<radialGradient id="p" ${a}>${stops}</radialGradient>`)),
    ),
    ...pattern.map((a) =>
      cell(
        `pattern ${a}`,
        used(
          `<pattern id="p" ${a}><circle cx="8" cy="8" r="6" fill="red"/><rect width=".3" height=".3"/></pattern>`,
        ),
      ),
    ),
    ...['#q', '#p', '#none'].map((link) =>
      cell(
        `gradient by ${link}`,
        used(`<linearGradient id="q">${stops}</linearGradient><linearGradient id="p" xlink:href="${link}"/>`),
      ),
    ),
    ...[
      '',
      '<stop offset=".2" stop-color="red"/>',
      '<stop offset="1" stop-color="red"/><stop offset="0" stop-color="blue"/>',
      '<stop/>',
      '<stop offset="-1" stop-color="red"/><stop offset="2" stop-color="blue"/>',
    ].map((s, i) => cell(`stops ${i}`, used(`<linearGradient id="p">${s}</linearGradient>`))),
    cell('a paint server without a fallback', used('', 'url(#none)')),
    cell(
      'a gradient on a line without height',
      `${GRADIENT}<path d="M10 50H90" stroke="url(#g)" stroke-width="20"/>`,
    ),
  ];
};

const structure = (): SvgCell[] => [
  ...[
    '',
    'viewBox="0 0 50 50"',
    'viewBox="0 0 200 100"',
    'viewBox="0 0 200 100" preserveAspectRatio="none"',
    'viewBox="0 0 200 100" preserveAspectRatio="xMinYMin slice"',
    'viewBox="-50 -50 100 100"',
    'viewBox="0 0 0 0"',
    'viewBox="0 0 a b"',
    'viewBox="0,0,50,50"',
    'style="background:#ff0"',
    'style="background-color:rgba(0,0,0,.5)"',
    'style="background:#ff0;opacity:.5"',
    'opacity=".5"',
    'fill="red"',
    'transform="rotate(20)"',
    'x="50"',
    'filter="invert(1)"',
  ].flatMap((a) => [
    cell(`root ${a}`, MARK, `width="${CELL_EDGE}" height="${CELL_EDGE}" ${a}`),
    cell(`inner svg ${a}`, `<svg width="60" height="60" ${a}>${MARK}</svg>`),
  ]),
  ...[
    'width="100%" height="100%"',
    'width="10em" height="5em"',
    'width="100"',
    'height="100"',
    '',
    'width="0.5" height="0.5"',
    'width="2cm" height="1cm"',
  ].map((a) => cell(`size ${a}`, MARK, `viewBox="0 0 100 100" ${a}`)),
  ...[
    '<script>1</script>',
    '<foreignObject width="99" height="99"><div xmlns="http://www.w3.org/1999/xhtml" style="background:red;height:90px"/></foreignObject>',
    '<unknown><rect width="50" height="50"/></unknown>',
    '<a href="x"><rect width="50" height="50"/></a>',
    '<title>x</title>',
    '<x:rect xmlns:x="urn:x" width="50" height="50"/>',
    '<metadata><rect width="50" height="50"/></metadata>',
    '<defs><rect width="50" height="50"/></defs>',
    '<view id="v" viewBox="0 0 10 10"/>',
  ].map((content) => cell(content, `${BLUE}${content}`)),
  ...[
    '<rect systemLanguage="de" width="50" height="50"/><circle cx="70" cy="70" r="20"/>',
    '<g requiredFeatures="http://www.w3.org/TR/SVG11/feature#Shape"><rect width="50" height="50"/></g><circle r="50"/>',
    '<rect requiredExtensions="x" width="50" height="50"/><circle cx="70" cy="70" r="20"/>',
  ].map((content) => cell(`switch ${content}`, `${BLUE}<switch>${content}</switch>`)),
  ...['x="1"', 'values="0;1" dur="1s"'].flatMap(() => [
    cell(
      'an animation of opacity that stays',
      `${BLUE}<rect width="50" height="50" fill="red" opacity="0"><animate attributeName="opacity" from="0" to="1" dur=".1s" fill="freeze"/></rect>`,
    ),
    cell(
      'an animation of opacity that ends',
      `${BLUE}<rect width="50" height="50" fill="red"><animate attributeName="opacity" from="1" to="0" dur=".1s"/></rect>`,
    ),
    cell(
      'a value that is set',
      `${BLUE}<rect width="50" height="50" fill="red"><set attributeName="fill" to="lime"/></rect>`,
    ),
    cell(
      'a value that is set on a click',
      `${BLUE}<rect width="50" height="50" fill="red"><set attributeName="fill" to="lime" begin="click"/></rect>`,
    ),
    cell(
      'a rotation that stays',
      `${BLUE}<rect width="50" height="50" fill="red"><animateTransform attributeName="transform" type="rotate" from="0" to="45" dur=".1s" fill="freeze"/></rect>`,
    ),
    cell(
      'an animation by a sheet that stays',
      `<style>@keyframes k{from{opacity:0}to{opacity:1}}.a{opacity:0;animation:k .1s forwards}</style>${BLUE}<rect class="a" width="50" height="50" fill="red"/>`,
    ),
    cell(
      'an animation by a sheet that ends',
      `<style>@keyframes k{from{opacity:0}to{opacity:0}}.a{animation:k .1s}</style>${BLUE}<rect class="a" width="50" height="50" fill="red"/>`,
    ),
  ]),
];

const texts = (): SvgCell[] =>
  [
    ...[
      '',
      'text-anchor="middle" x="50"',
      'text-anchor="end" x="90"',
      'font-weight="bold"',
      'font-style="italic"',
      'font-family="serif"',
      'font-family="monospace"',
      'font-family="Arial, sans-serif"',
      'font-family="Verdana"',
      'letter-spacing="5"',
      'word-spacing="20"',
      'textLength="80"',
      'textLength="80" lengthAdjust="spacingAndGlyphs"',
      'dx="5 10 5"',
      'dy="5 -5"',
      'rotate="20"',
      'x="10 30 50"',
      'text-decoration="underline"',
      'style="text-decoration:line-through red 5px"',
      'dominant-baseline="middle"',
      'dominant-baseline="hanging"',
      'writing-mode="vertical-rl"',
      'direction="rtl"',
      'xml:space="preserve"',
      'style="font:bold 20px/2 monospace"',
      'font-size="large"',
      'font-variant="small-caps"',
      'stroke="red"',
      'style="font-size:200%"',
      'baseline-shift="super"',
    ],
  ].flatMap((a) => [
    cell(`text ${a}`, `<g font-size="18" font-family="sans-serif"><text y="50" ${a}>Ab  cd</text></g>`),
    cell(
      `tspan ${a}`,
      `<text x="5" y="50" font-size="18" font-family="sans-serif">A<tspan ${a}>b c</tspan>d</text>`,
    ),
  ]);

/** Style sheets, paint servers, structure and texts. */
export const structureCells = (): SvgCell[] => [...sheets(), ...servers(), ...structure(), ...texts()];
