import { WholeNumber } from './fields';
import { ProofRequest } from './security-requests';

/** PUT /admin/users/<username>/quota */
export class AccountQuotaRequest extends ProofRequest {
  @WholeNumber({
    nullable: true,
    min: 0,
    description:
      'Bytes that the account may store. Omitted: unchanged. Null: the default of the site. For no limit, send a number larger than the storage.',
  })
  bytes?: number | null;

  @WholeNumber({
    nullable: true,
    min: 0,
    description: 'Files that the account may have. Omitted: unchanged. Null: the default of the site.',
  })
  files?: number | null;
}
