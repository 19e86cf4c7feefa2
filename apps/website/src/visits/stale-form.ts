/** A form that isn't carried out: from another site, or made for a visit that has ended meanwhile. */
export class StaleForm extends Error {
  override readonly name = 'StaleForm';

  constructor(readonly reason: 'elsewhere' | 'stale') {
    super('This form is out of date.');
  }
}
