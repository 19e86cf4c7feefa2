/** Falls back to the `import` condition for ESM-only packages, which Jest's CommonJS resolution would not find. */
module.exports = (path, options) => {
  try {
    return options.defaultResolver(path, options);
  } catch (error) {
    if (!options.conditions || path.startsWith('.')) throw error;
    return options.defaultResolver(path, { ...options, conditions: [...options.conditions, 'import'] });
  }
};
