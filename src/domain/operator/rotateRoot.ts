/** A new root key takes over: everything sealed in the database is opened with the old one and sealed with the new one. */
import type { Sealer } from '../../crypto/seal.ts';
import { listSealedAnswers, saveRequest } from '../../store/statements/callers/requests.ts';
import { putSetting } from '../../store/statements/node/settings.ts';
import {
  checkoutMandatesContext,
  listSealedCheckoutMandates,
  saveCheckoutMandates,
} from '../../store/statements/purchases/checkoutMandates.ts';
import {
  httpCredentialContext,
  listSealedHttpPayments,
  saveHttpCredential,
} from '../../store/statements/purchases/httpPayments.ts';
import { listStatusSigners, sealStatusSigner } from '../../store/statements/purchases/statusLists.ts';
import { listSealedTasks, saveSealedTask, taskContext } from '../../store/statements/purchases/tasks.ts';
import {
  listSealedWallets,
  rpcContext,
  saveSealedWallet,
  walletContext,
} from '../../store/statements/registry/wallets.ts';
import { listSealedSecrets, saveSealedSecrets } from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import { sealContextOf } from '../../usecase/idempotency.ts';
import { statusSignerContext } from '../credentials/buildStatusList.ts';
import { secretContext } from '../webhooks/changeWebhook.ts';
import { ROOT_MARK } from './claimDatabase.ts';
import { resealReceiptKeys } from './claimReceiptKey.ts';

const AT_ONCE = 500;

/**
 * Seals everything anew, in the commit of this script.
 * @param to the new sealer, and the mark of its key
 * @returns how many secrets there were
 */
export function* resealAll(from: Sealer, to: { readonly sealer: Sealer; readonly mark: string }): Script<number> {
  const reseal = (sealed: string, context: string) => to.sealer.seal(from.open(sealed, context), context);
  const count =
    (yield* resealSecrets(reseal)) +
    (yield* resealAnswers(reseal)) +
    (yield* resealReceiptKeys(reseal)) +
    (yield* resealTasks(reseal)) +
    (yield* resealCheckoutMandates(reseal)) +
    (yield* resealHttpPayments(reseal)) +
    (yield* resealWallets(reseal)) +
    (yield* resealListSigners(reseal));
  yield* putSetting(ROOT_MARK, to.mark);
  return count;
}

type Reseal = (sealed: string, context: string) => string;

function* resealSecrets(reseal: Reseal): Script<number> {
  const rows = yield* listSealedSecrets();
  for (const row of rows) {
    const context = secretContext(row.id);
    const { secret, previous_secret: previous, older_secret: older } = row;
    yield* saveSealedSecrets({
      ...row,
      secret: reseal(secret, context),
      previous_secret: previous === null ? null : reseal(previous, context),
      older_secret: older === null ? null : reseal(older, context),
    });
  }
  return rows.length;
}

/** Answers with tokens, which a repeated request gets again. */
function* resealAnswers(reseal: Reseal): Script<number> {
  let count = 0;
  for (let after: { tenant_id: string; scope: string; request_key: string } | undefined; ; ) {
    const rows = yield* listSealedAnswers(after, AT_ONCE);
    for (const row of rows) yield* saveRequest({ ...row, answer: reseal(String(row.answer), sealContextOf(row)) });
    count += rows.length;
    after = rows.at(-1);
    if (rows.length < AT_ONCE) return count;
  }
}

function* resealTasks(reseal: Reseal): Script<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = yield* listSealedTasks(after, AT_ONCE);
    for (const { id, content } of rows) yield* saveSealedTask({ id, content: reseal(content, taskContext(id)) });
    count += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < AT_ONCE) return count;
  }
}

function* resealCheckoutMandates(reseal: Reseal): Script<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = yield* listSealedCheckoutMandates(after, AT_ONCE);
    for (const row of rows) {
      yield* saveCheckoutMandates({ ...row, sealed: reseal(row.sealed, checkoutMandatesContext(row.payment_id)) });
    }
    count += rows.length;
    after = rows.at(-1)?.payment_id ?? after;
    if (rows.length < AT_ONCE) return count;
  }
}

function* resealHttpPayments(reseal: Reseal): Script<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = yield* listSealedHttpPayments(after, AT_ONCE);
    for (const { tenant_id, mandate_id, credential, credential_hash } of rows) {
      const sealed = reseal(String(credential), httpCredentialContext(mandate_id));
      yield* saveHttpCredential({
        tenant_id,
        mandate_id,
        credential: sealed,
        credential_hash: String(credential_hash),
      });
    }
    count += rows.length;
    after = rows.at(-1)?.mandate_id ?? after;
    if (rows.length < AT_ONCE) return count;
  }
}

function* resealWallets(reseal: Reseal): Script<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = yield* listSealedWallets(after, AT_ONCE);
    for (const { id, sealed_key: key, sealed_rpc_url: url } of rows) {
      const sealed = url === null ? null : reseal(url, rpcContext(id));
      yield* saveSealedWallet({ id, sealed_key: reseal(key, walletContext(id)), sealed_rpc_url: sealed });
    }
    count += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < AT_ONCE) return count;
  }
}

function* resealListSigners(reseal: Reseal): Script<number> {
  const rows = yield* listStatusSigners();
  for (const { issuer, seed } of rows) {
    yield* sealStatusSigner({ issuer, seed: reseal(seed, statusSignerContext(issuer)) });
  }
  return rows.length;
}
