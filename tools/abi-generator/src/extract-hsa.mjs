/**
 * Takes the facts of the HSA tables out of C headers, with clang's syntax tree for names and types and a compiled C
 * program for sizes and offsets: `node src/extract-hsa.mjs INCLUDE_DIR SOURCE` writes data/hsa-abi.json.gz; SOURCE says which
 * headers they are. Run by hand when a newer ROCR is to be followed; `generate` reads the result. What the headers of the last
 * run lacked is in data/hsa-additions.json.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const HEADERS = [
  'hsa.h',
  'hsa_ext_amd.h',
  'hsa_ext_finalize.h',
  'hsa_ext_image.h',
  'hsa_amd_tool.h',
  'hsa_ven_amd_pc_sampling.h',
  'hsa_ven_amd_loader.h',
];
const NAME = /^(hsa|HSA)_?/;

/** Not taken: the XDNA command packets, and the structures of function pointers that extensions hand out. */
const LEFT_OUT = /_aie_|_pfn_t$/;

const data = new URL('../data/', import.meta.url);
const [includeDir, sourceName] = process.argv.slice(2);
if (!includeDir || !sourceName) throw new Error('usage: node src/extract-hsa.mjs INCLUDE_DIR SOURCE');
const { tables } = JSON.parse(readFileSync(new URL('hsa-additions.json', data), 'utf8'));
const slots = new Set(Object.values(tables).flatMap((table) => table.slots));
const work = mkdtempSync(join(tmpdir(), 'doorbell-extract-'));
try {
  const facts = JSON.stringify({ ...extract(), source: sourceName });
  writeFileSync(new URL('hsa-abi.json.gz', data), gzipSync(facts, { level: 9 }));
} finally {
  rmSync(work, { recursive: true });
}

function extract() {
  const includes = ['#include <stddef.h>', '#include <stdio.h>', ...HEADERS.map((header) => `#include "${header}"`)].join('\n');
  const source = join(work, 'headers.c');
  writeFileSync(source, includes);
  const tree = JSON.parse(
    execFileSync('clang-22', ['-I', includeDir, '-fsyntax-only', '-Xclang', '-ast-dump=json', source], {
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString('utf8'),
  );
  const declarations = tree.inner.filter((node) => !node.isImplicit);
  const records = new Map();
  const enums = new Map();
  for (const node of declarations) {
    if (node.kind === 'RecordDecl' && node.completeDefinition) records.set(node.id, node);
    if (node.kind === 'EnumDecl') enums.set(node.id, node);
  }
  const typedefs = declarations.filter((node) => node.kind === 'TypedefDecl' && NAME.test(node.name));
  return {
    headers: HEADERS,
    functions: functionsOf(declarations),
    callbacks: callbacksOf(typedefs),
    ...measure(includes, enumsOf(typedefs, declarations, enums), structsOf(typedefs, records)),
  };
}

function functionsOf(declarations) {
  const functions = {};
  for (const node of declarations) {
    if (node.kind !== 'FunctionDecl' || !slots.has(node.name)) continue;
    const returns = node.type.qualType.slice(0, node.type.qualType.indexOf('(')).trim();
    const params = (node.inner ?? []).filter((child) => child.kind === 'ParmVarDecl');
    functions[node.name] = { returns, params: params.map((param) => [param.name, param.type.qualType]) };
  }
  return functions;
}

function callbacksOf(typedefs) {
  const callbacks = {};
  for (const { name, type } of typedefs) {
    const match = /^(.+?) ?\(\*\)\((.*)\)$/.exec(type.qualType);
    if (match) callbacks[name] = { returns: match[1], params: match[2] === 'void' ? [] : match[2].split(/, /) };
  }
  return callbacks;
}

function enumsOf(typedefs, declarations, byId) {
  const names = new Map();
  for (const { name, inner } of typedefs) {
    const id = declOf(inner)?.id;
    if (byId.has(id)) names.set(id, name);
  }
  const result = {};
  for (const node of declarations) {
    if (node.kind !== 'EnumDecl') continue;
    const name = names.get(node.id) ?? node.name ?? 'anonymous';
    if (LEFT_OUT.test(name)) continue;
    result[name] = [...(result[name] ?? []), ...node.inner.filter((c) => c.kind === 'EnumConstantDecl').map((c) => c.name)];
  }
  return result;
}

/** The declaration that a typedef names, however deep its sugar is. */
function declOf(inner) {
  for (const node of inner ?? []) {
    const found = node.ownedTagDecl ?? node.decl ?? declOf(node.inner);
    if (found?.kind === 'RecordDecl' || found?.kind === 'EnumDecl') return found;
  }
  return undefined;
}

function structsOf(typedefs, records) {
  const result = {};
  for (const { name, inner } of typedefs) {
    const record = records.get(declOf(inner)?.id);
    if (record && !LEFT_OUT.test(name)) result[name] = membersOf(record, '');
  }
  return result;
}

/** Path and C type of every member; members of anonymous records count as the outer record's own. */
function membersOf(record, prefix) {
  const members = [];
  let unnamed;
  for (const node of record.inner ?? []) {
    if (node.kind === 'RecordDecl') unnamed = node;
    if (node.kind !== 'FieldDecl') continue;
    const anonymous = /\((anonymous|unnamed)/.test(node.type.qualType);
    if (!node.name) {
      members.push(...membersOf(unnamed, prefix));
      continue;
    }
    if (node.isBitfield) {
      members.push({ path: `${prefix}${node.name}`, type: node.type.qualType, bits: Number(node.inner[0].value) });
      continue;
    }
    members.push({ path: `${prefix}${node.name}`, type: anonymous ? undefined : node.type.qualType });
    if (anonymous) members.push(...membersOf(unnamed, `${prefix}${node.name}.`));
  }
  return members;
}

function measure(includes, enums, structs) {
  const lines = [];
  for (const [name, constants] of Object.entries(enums)) {
    for (const constant of constants) lines.push(`printf("E ${name} ${constant} %lld\\n", (long long)${constant});`);
  }
  for (const [name, members] of Object.entries(structs)) {
    lines.push(`printf("S ${name} %zu\\n", sizeof(${name}));`);
    for (const { path, type, bits } of members) {
      if (bits !== undefined) continue;
      const size = type?.endsWith('[]') ? '(size_t)0' : `sizeof(((${name} *)0)->${path})`;
      lines.push(`printf("F ${name} ${path} %zu %zu\\n", offsetof(${name}, ${path}), ${size});`);
    }
  }
  const source = join(work, 'measure.c');
  writeFileSync(source, `${includes}\nint main(void) {\n${lines.join('\n')}\nreturn 0; }\n`);
  execFileSync('gcc', ['-w', '-I', includeDir, '-o', join(work, 'measure'), source]);
  const output = execFileSync(join(work, 'measure')).toString('utf8').trim().split('\n');
  const result = { enums: {}, structs: {} };
  for (const [kind, name, ...rest] of output.map((line) => line.split(' '))) {
    if (kind === 'E') (result.enums[name] ??= {})[rest[0]] = Number(rest[1]);
    if (kind === 'S') result.structs[name] = { size: Number(rest[0]), fields: {} };
    if (kind === 'F') {
      const type = structs[name].find((member) => member.path === rest[0]).type;
      result.structs[name].fields[rest[0]] = { offset: Number(rest[1]), size: Number(rest[2]), ...(type ? { type } : {}) };
    }
  }
  return result;
}
