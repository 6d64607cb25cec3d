#!/usr/bin/env bash
# Guess: listMultipartUploads(delimiter, prefix) of s3mini asks the bucket for the unfinished uploads below that prefix.
# Reality: the prefix is not sent: the answer has the uploads of the whole bucket, and the caller is not told. Only a member
#          `prefix` of the fourth argument, an object of further parameters, becomes part of the request.
# Hurts: programs that share a bucket and abort "their" unfinished uploads by this list: they abort those of the others.
# Version: npm s3mini 1.0.2, run on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  s3mini@1.0.2 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { S3mini } from 's3mini';
console.log('s3mini', JSON.parse(readFileSync('node_modules/s3mini/package.json', 'utf8')).version);

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  console.log('asked for uploads:', searchParams.has('uploads'), 'prefix:', searchParams.get('prefix'));
  response.setHeader('content-type', 'application/xml');
  response.end('<?xml version="1.0"?><ListMultipartUploadsResult><Bucket>b</Bucket></ListMultipartUploadsResult>');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${server.address().port}/b`;
const bucket = new S3mini({ endpoint, region: 'auto', accessKeyId: 'id', secretAccessKey: 'secret' });
await bucket.listMultipartUploads('/', 'mine/');
await bucket.listMultipartUploads('/', '', 'GET', { prefix: 'mine/' });
server.close();
server.closeAllConnections();
PROGRAM
cat > expected <<'SEEN'
s3mini 1.0.2
asked for uploads: true prefix: null
asked for uploads: true prefix: mine/
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }
