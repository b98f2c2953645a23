// Writes node-values.jsonl: what Node gives for each line of expressions.txt, of which NodeAgreesTest asks the same.
//   TZ=UTC node make-node-values.mjs
// A line that begins with "# " names a section; ⏎ in an expression stands for the end of a line.
import { readFileSync, writeFileSync } from 'node:fs';
import { createContext, Script } from 'node:vm';

if (new Date(2026, 6, 1).getTimezoneOffset() !== 0) {
  throw new Error('scripts are in UTC: set TZ=UTC');
}

/* The JSON value of what a script gives, by the rules of prelude.js. */
function out(value) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : nested(value);
    default:
      return null;
  }
}

function nested(value) {
  if (Array.isArray(value)) {
    return Array.from(value, out);
  }
  switch (Object.prototype.toString.call(value)) {
    case '[object Date]':
      return Number.isNaN(+value) ? null : value.toISOString();
    case '[object String]':
    case '[object Number]':
    case '[object Boolean]':
      return out(value.valueOf());
  }
  const members = Object.keys(value).map(name => [name, value[name]]);
  return Object.fromEntries(members
    .filter(([, member]) => typeof member !== 'function' && typeof member !== 'symbol')
    .map(([name, member]) => [name, out(member)]));
}

async function answer(source) {
  try {
    return { value: out(await new Script(source).runInContext(createContext())) };
  } catch (thrown) {
    return { error: thrown?.name ?? `the script threw ${thrown}` };
  }
}

const folder = new URL('./', import.meta.url);
const lines = [JSON.stringify({ node: process.version })];
let section = '';
for (const line of readFileSync(new URL('expressions.txt', folder), 'utf8').split('\n')) {
  if (line.startsWith('# ')) {
    section = line.slice(2);
  } else if (line !== '') {
    const source = line.replaceAll('⏎', '\n');
    lines.push(JSON.stringify({ section, source, ...await answer(source) }));
  }
}
writeFileSync(new URL('node-values.jsonl', folder), lines.join('\n') + '\n');
