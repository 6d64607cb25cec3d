/** Checks the data folder before the database is opened: file modes, the issuer's key, free space. */
import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type IssuerKey, readIssuerKey } from '../../crypto/issuerKey.ts';
import { readReceiptKey } from '../../crypto/receiptKey.ts';
import { judgeSpace } from '../../domain/checks/diskSpace.ts';
import { refuseHalfRestored } from '../../maintenance/restoreMark.ts';
import type { Config } from '../../node/config/config.ts';
import { receiptKeyFile } from '../../node/openKeys.ts';
import { type Finding, fault, ok } from '../../usecase/finding.ts';
import { reasonOf } from '../commandFailure.ts';

export function checkFolder({ dataDir }: Config): Finding {
  const check = 'data folder';
  if (!existsSync(dataDir)) return ok(check, `${dataDir} does not exist yet; the first start makes it.`);
  try {
    refuseHalfRestored(dataDir);
  } catch (error) {
    return fault(check, reasonOf(error), `countersign restore FILE --data-dir ${dataDir}`);
  }
  const status = statSync(dataDir);
  if (!status.isDirectory()) return fault(check, `${dataDir} is not a folder.`, 'set DATA_DIR to a folder');
  const modes = status.mode & 0o777;
  // Windows has no mode bits; the folder's access list protects it there.
  if (process.platform !== 'win32' && (modes & 0o077) !== 0) {
    return fault(check, `${dataDir} is open to others (mode ${modes.toString(8)}).`, `chmod 700 ${dataDir}`);
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return fault(check, `This user may not write to ${dataDir}.`, `chown -R "$(id -un)" ${dataDir}`);
  }
  return ok(check, `${dataDir} is accessible to its owner only.`);
}

export interface KeyCheck {
  readonly finding: Finding;
  readonly key: IssuerKey | undefined;
}

/** @param isUsed whether there is a database already, which belongs to one key */
export function checkKey({ issuerKeyFile: file, dataDir }: Config, isUsed: boolean): KeyCheck {
  const check = 'issuer key';
  const bad = (message: string, remedy: string): KeyCheck => ({
    finding: fault(check, message, remedy),
    key: undefined,
  });
  if (!existsSync(file)) {
    if (!isUsed) return { finding: ok(check, 'The key does not exist yet; the first start makes it.'), key: undefined };
    return bad(
      `The key file ${file} is missing, and the database belongs to it.`,
      `put it back from a backup: countersign restore FILE --data-dir ${dataDir}`,
    );
  }
  try {
    const key = readIssuerKey(file);
    return { finding: ok(check, `${file} is accessible to its owner only.`), key };
  } catch (error) {
    const message = reasonOf(error);
    if (/chmod 600/.test(message)) return bad(`The key file ${file} is open to others.`, `chmod 600 ${file}`);
    return bad(message, `put it back from a backup: countersign restore FILE --data-dir ${dataDir}`);
  }
}

/** Whether the key for receipts, where it is there, can be read by its owner alone; where it is not, the database has it. */
export function checkReceiptKey(config: Config): Finding {
  const check = 'receipt key';
  const file = receiptKeyFile(config);
  try {
    if (readReceiptKey(file) === undefined) return ok(check, `${file} does not exist yet; the next start writes it.`);
    return ok(check, `${file} is accessible to its owner only.`);
  } catch (error) {
    const message = reasonOf(error);
    if (/chmod 600/.test(message)) return fault(check, `The key file ${file} is open to others.`, `chmod 600 ${file}`);
    return fault(check, message, `rm ${file}; the next start writes it anew from the database`);
  }
}

export function checkSpace({ dataDir }: Config): Finding {
  const folder = existsSync(dataDir) ? dataDir : dirname(dataDir);
  if (!existsSync(folder)) return ok('disk', 'The data folder does not exist yet.');
  const { bavail, bsize } = statfsSync(folder);
  return judgeSpace(bavail * bsize, folder);
}
