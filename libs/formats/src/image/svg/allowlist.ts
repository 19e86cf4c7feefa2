const words = (text: string): string[] => text.trim().split(/\s+/);

/** Elements that draw, or that drawing refers to (SVG 2 and Filter Effects); all others go with what they hold. */
export const KEPT_ELEMENTS: ReadonlySet<string> = new Set(
  words(`
    svg g defs symbol use switch a view style image
    path rect circle ellipse line polyline polygon text tspan textPath
    marker pattern clipPath mask linearGradient radialGradient stop
    animate animateMotion animateTransform set mpath
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage
    feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  `),
);

/** Elements whose text is drawn; any other text is a remark. */
export const TEXT_ELEMENTS: ReadonlySet<string> = new Set(['text', 'tspan', 'textPath', 'style']);

/** Elements that may hold a raster picture of their own. */
export const RASTER_ELEMENTS: ReadonlySet<string> = new Set(['image', 'feImage']);

export const ANIMATION_ELEMENTS: ReadonlySet<string> = new Set([
  'animate',
  'animateTransform',
  'animateMotion',
  'set',
]);

/** Attributes of geometry, reference, presentation and animation: no events, no remarks, no foreign namespaces. */
export const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  words(`
    id class style lang width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points pathLength transform
    viewBox preserveAspectRatio dx dy rotate textLength lengthAdjust startOffset method spacing side path
    refX refY markerWidth markerHeight markerUnits orient zoomAndPan
    patternUnits patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits
    gradientUnits gradientTransform spreadMethod offset
    requiredExtensions requiredFeatures systemLanguage
    alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
    color-interpolation-filters color-rendering cursor direction display dominant-baseline enable-background
    fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings
    font-kerning font-size font-size-adjust font-stretch font-style font-variant font-weight
    glyph-orientation-horizontal glyph-orientation-vertical image-rendering isolation kerning letter-spacing
    lighting-color marker marker-end marker-mid marker-start mask mask-type mix-blend-mode opacity overflow
    paint-order pointer-events shape-rendering stop-color stop-opacity stroke stroke-dasharray
    stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
    text-anchor text-decoration text-overflow text-rendering transform-box transform-origin unicode-bidi
    vector-effect visibility white-space word-spacing writing-mode
    media type
    attributeName attributeType begin dur end min max restart repeatCount repeatDur fill calcMode values
    keyTimes keySplines keyPoints from to by additive accumulate origin
    in in2 result mode operator k1 k2 k3 k4 order kernelMatrix divisor bias targetX targetY edgeMode
    kernelUnitLength preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent
    xChannelSelector yChannelSelector scale stdDeviation radius baseFrequency numOctaves seed stitchTiles
    tableValues slope intercept amplitude exponent azimuth elevation z pointsAtX pointsAtY pointsAtZ
    limitingConeAngle filterUnits primitiveUnits
  `),
);

/** What an animation may not change: links, events, and style sheets as a whole. */
const UNANIMATED = /href|^on|^style$|^src$|^class$|:/i;

/** Whether an animation of this attribute is harmless. */
export function mayAnimate(attribute: string | undefined): boolean {
  return attribute === undefined || !UNANIMATED.test(attribute);
}
