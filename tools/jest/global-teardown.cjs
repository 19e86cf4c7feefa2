module.exports = async () => {
  await globalThis.vitrineTestPostgres?.stop();
};
