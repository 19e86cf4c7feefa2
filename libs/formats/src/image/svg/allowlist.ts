const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Elements that draw, or that drawing refers to, and that librsvg and browsers draw in the same way, because librsvg makes the
 * picture that is moderated. All others are removed with their content, for example animation and text on a path.
 */
export const KEPT_ELEMENTS: ReadonlySet<string> = new Set(
  words(`
    svg g defs symbol use switch a style image
    path rect circle ellipse line polyline polygon text tspan
    marker pattern clipPath mask linearGradient radialGradient stop
    filter feBlend feColorMatrix feComponentTransfer feComposite feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur
    feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  `),
);

/** Elements whose text is drawn. Any other text is removed. */
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['text', 'tspan', 'style']);

/** Elements that may hold an embedded raster picture. */
export const RASTER_ELEMENTS: ReadonlySet<string> = new Set(['image']);

/** Conditions on the viewer's language and program, by which `switch` chooses. */
export const CONDITIONS: ReadonlySet<string> = new Set([
  'requiredExtensions',
  'requiredFeatures',
  'systemLanguage',
]);

/** Attributes with a name that other elements refer to. */
export const NAMING_ATTRIBUTES: ReadonlySet<string> = new Set(['id', 'class', 'lang']);

/** Attributes with path data: numbers and letters without units. */
export const PATH_ATTRIBUTES: ReadonlySet<string> = new Set(['d', 'points']);

/** Attributes of geometry and of filters: no events, no comments, no foreign namespaces, no timing. */
export const GEOMETRY_ATTRIBUTES: ReadonlySet<string> = new Set(
  words(`
    width height x y x1 y1 x2 y2 cx cy r rx ry fx fy
    viewBox preserveAspectRatio dx dy
    refX refY markerWidth markerHeight markerUnits orient
    patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits
    gradientUnits gradientTransform spreadMethod offset type
    in in2 result mode operator k1 k2 k3 k4 surfaceScale diffuseConstant specularConstant specularExponent
    xChannelSelector yChannelSelector scale stdDeviation radius baseFrequency numOctaves seed stitchTiles
    values tableValues slope intercept amplitude exponent azimuth elevation z pointsAtX pointsAtY pointsAtZ
    limitingConeAngle filterUnits primitiveUnits
  `),
);

/** Properties that are attributes as well; none that moves, reacts to the pointer or depends on the viewer. */
export const PRESENTATION_PROPERTIES: ReadonlySet<string> = new Set(
  words(`
    alignment-baseline baseline-shift clip-path clip-rule color
    color-interpolation-filters color-rendering direction display dominant-baseline
    fill fill-opacity fill-rule filter flood-color flood-opacity font-family font-feature-settings
    font-kerning font-size font-size-adjust font-stretch font-style font-variant font-weight
    glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing
    lighting-color marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow
    paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray
    stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    text-anchor text-decoration text-rendering transform unicode-bidi
    vector-effect visibility white-space word-spacing writing-mode
  `),
);

/** Properties of style sheets. Rules may match the root element, whose position and edges they must not change. */
export const SHEET_PROPERTIES: ReadonlySet<string> = new Set([
  ...[...PRESENTATION_PROPERTIES].filter((name) => name !== 'overflow' && name !== 'transform'),
  ...['font', 'cx', 'cy', 'r', 'rx', 'ry'],
]);

/** Properties of a `style` attribute. */
export const STYLE_PROPERTIES: ReadonlySet<string> = new Set([
  ...SHEET_PROPERTIES,
  ...['overflow', 'transform', 'x', 'y', 'width', 'height'],
]);
