// What scripts have besides the language, and how values come in and go out. Read as the body of a function of `call`
// and `lazy`, after constants for the numbers of the host's functions, ELSA_MEMBERS, RESULT_CHARS_MAX, DEPTH_MAX and the
// function `dotNetTypes`. A script may change whatever it reaches, for itself alone; so what is needed after its
// beginning is taken here.
const { parse, stringify } = JSON;
const { isArray } = Array;
const { create, defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, keys, setPrototypeOf } = Object;
const { prototype: plain } = Object;
const unbound = method => Function.prototype.call.bind(method);
const slice = unbound(String.prototype.slice), indexOf = unbound(String.prototype.indexOf), trim = unbound(String.prototype.trim);
const isOwn = unbound(Object.prototype.hasOwnProperty);
const timeOf = unbound(Date.prototype.getTime), isoOf = unbound(Date.prototype.toISOString);
const textOf = unbound(String.prototype.valueOf), numberOf = unbound(Number.prototype.valueOf);
const booleanOf = unbound(Boolean.prototype.valueOf);
const { Number: toNumber, Proxy: Wrapped, TypeError: WrongType, ReferenceError: Unknown } = globalThis;

// Without Proxy, Promise, BigInt and typed arrays, of which no value can leave a script, and without what tells when
// memory is collected.
const KEPT = ('Array Boolean Date Error EvalError Function Infinity InternalError JSON Map Math NaN Number Object RangeError '
  + 'ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError WeakMap WeakSet decodeURI '
  + 'decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined '
  + 'unescape').split(' ');

for (const name of getOwnPropertyNames(globalThis)) {
  if (!KEPT.includes(name)) {
    delete globalThis[name];
  }
}

function define(holder, name, value) {
  defineProperty(holder, name, { __proto__: null, value, writable: true, configurable: true, enumerable: false });
}

// ---- Values out ----

let chars = 0;

function charge(more) {
  chars += more;
  if (chars > RESULT_CHARS_MAX) {
    call(EXCEEDED, 'result');
  }
}

/*
 * The JSON of a value: undefined, NaN and the infinities are null, a date is its ISO 8601 text, functions and symbols
 * are left out of objects and null elsewhere. Getters run; toJSON, toString and valueOf are not asked.
 */
function out(value) {
  chars = 0;
  return written(value, null);
}

function written(value, path) {
  charge(8);
  switch (typeof value) {
    case 'string':
      charge(value.length);
      return stringify(value);
    case 'number':
      return value - value === 0 ? '' + value : 'null';
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : nested(value, path);
    default:
      return 'null';
  }
}

function nested(value, up) {
  const list = isArray(value);
  if (!list) {
    const parent = getPrototypeOf(value);
    if (parent !== plain && parent !== null) {
      const text = boxed(value);
      if (text !== undefined) {
        return text;
      }
    }
  }
  const depth = up === null ? 1 : up.depth + 1;
  for (let holder = up; holder !== null; holder = holder.up) {
    if (holder.value === value) {
      throw new WrongType('a cyclic value cannot leave a script');
    }
  }
  if (depth > DEPTH_MAX) {
    call(EXCEEDED, 'depth');
  }
  const path = { __proto__: null, value, up, depth };
  return list ? items(value, path) : members(value, path);
}

function items(list, path) {
  let text = '[';
  for (let i = 0; i < list.length; i++) {
    text += (i === 0 ? '' : ',') + written(list[i], path);
  }
  return text + ']';
}

function members(object, path) {
  const names = keys(object);
  let text = '';
  for (let i = 0; i < names.length; i++) {
    const name = names[i], value = object[name];
    if (typeof value !== 'function' && typeof value !== 'symbol') {
      charge(name.length);
      text += (text === '' ? '' : ',') + stringify(name) + ':' + written(value, path);
    }
  }
  return '{' + text + '}';
}

/* Of a date or of an object that stands for a text, a number or a truth value; undefined of others. */
function boxed(value) {
  try {
    const time = timeOf(value);
    return time === time ? stringify(isoOf(value)) : 'null';
  } catch {}
  let held;
  try { held = textOf(value); } catch {}
  try { held ??= numberOf(value); } catch {}
  try { held ??= booleanOf(value); } catch {}
  return held === undefined ? undefined : written(held, null);
}

// ---- Values in ----

/* A value of the scope: its JSON after a sign, which is + where there are objects with the members of Elsa's. */
function taken(text) {
  const value = parse(slice(text, 1));
  if (text[0] === '+') {
    nameMembers(value);
  }
  return value;
}

function nameMembers(value) {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    if (names[i] !== ELSA_MEMBERS) {
      nameMembers(value[names[i]]);
    }
  }
  if (isOwn(value, ELSA_MEMBERS)) {
    const { aliases, made, file } = value[ELSA_MEMBERS];
    delete value[ELSA_MEMBERS];
    for (const name of keys(aliases)) {
      if (isOwn(value, aliases[name])) {
        nameMember(value, name, value[aliases[name]]);
      }
    }
    for (const name of keys(made)) {
      nameMember(value, name, made[name]);
    }
    if (file) {
      nameFile(value);
    }
  }
}

/* As in Elsa's scripts, where the first letter may be of either case. No such name leaves a script. */
function nameMember(object, name, value) {
  for (const either of [name, name[0].toLowerCase() + name.slice(1)]) {
    if (!(either in object)) {
      define(object, either, value);
    }
  }
}

function nameFile(file) {
  nameMember(file, 'OpenReadStream', { OpenReadStream() { return bytesOfFile(this); } }.OpenReadStream);
  nameMember(file, 'GetBytes', { GetBytes() { return bytesOfFile(this); } }.GetBytes);
  for (const name of ['Stream', 'stream']) {
    defineProperty(file, name, {
      __proto__: null, get() { return bytesOfFile(this); }, configurable: true, enumerable: false
    });
  }
}

/* Streams are their bytes. */
function bytesOfFile(file) {
  if (typeof file?.content !== 'string') {
    throw new WrongType('not a file');
  }
  return ask(BYTES, stringify(file.content));
}

function ask(question, argument) {
  return parse(call(question, argument));
}

// ---- Variables, inputs and outputs ----

/* One object for one variable throughout, so that what a script does to it is seen again; by the host's numbers. */
const held = create(null);

/* Of a number, a colon and a value. */
function hold(answer) {
  const colon = indexOf(answer, ':'), number = slice(answer, 0, colon);
  return held[number] ??=
    { __proto__: null, value: taken(slice(answer, colon + 1)), was: slice(answer, colon + 2), assigned: false };
}

function assign(variable, value) {
  variable.value = value;
  variable.assigned = true;
}

const found = create(null);

/* The nearest variable of that name, else the one with that id; null where there is none. */
function find(name) {
  if (found[name] === undefined) {
    const answer = call(VARIABLE, name);
    found[name] = answer === undefined ? null : hold(answer);
  }
  return found[name];
}

function existing(name) {
  const variable = find(name);
  if (variable === null) {
    throw new Unknown('there is no variable ' + name);
  }
  return variable;
}

function variables() {
  return new Wrapped({}, {
    __proto__: null,
    get(target, name) {
      const variable = typeof name === 'string' ? find(name) : null;
      return variable === null ? target[name] : variable.value;
    },
    has(target, name) {
      return typeof name === 'string' && find(name) !== null || name in target;
    },
    set(target, name, value) {
      assign(existing(`${name}`), value);
      return true;
    },
    deleteProperty(target, name) {
      if (typeof name === 'string' && find(name) !== null) {
        throw new WrongType('the variable ' + name + ' cannot be deleted');
      }
      return true;
    },
    defineProperty() {
      return false;
    },
    setPrototypeOf() {
      return false;
    },
    preventExtensions() {
      return false;
    },
    ownKeys() {
      return ask(VARIABLE_NAMES, '');
    },
    getOwnPropertyDescriptor(target, name) {
      const variable = typeof name === 'string' ? find(name) : null;
      return variable === null ? undefined
        : { __proto__: null, value: variable.value, writable: true, configurable: true, enumerable: true };
    }
  });
}

/* The getter or setter that Elsa makes for each variable, input and output: here when a script first names it. */
function accessor(name) {
  const answer = call(isOwn(functions, name) ? ACCESSOR_BUT_OUTPUT : ACCESSOR, name);
  if (answer === undefined) {
    return isOwn(functions, name) ? functions[name] : undefined;
  }
  if (answer[0] !== 'v') {
    const text = slice(answer, 1);
    return { [name]() { return taken(text); } }[name];
  }
  const variable = hold(slice(answer, 1));
  return name[0] === 's'
    ? { [name](value) { assign(variable, value); } }[name]
    : { [name]() { return variable.value; } }[name];
}

function lookUp(name) {
  let made;
  switch (name) {
    case 'variables':
      made = variables();
      break;
    case 'args':
      made = taken(call(INPUTS, ''));
      break;
    default:
      if (name.length > 3 && name[1] === 'e' && name[2] === 't' && (name[0] === 'g' || name[0] === 's')) {
        made = accessor(name);
      }
  }
  if (made !== undefined) {
    define(globalThis, name, made);
  }
  return made;
}

// ---- Elsa's functions ----

function text(value) {
  return value === undefined || value === null ? null : `${value}`;
}

function required(value) {
  const given = text(value);
  if (given === null) {
    throw new WrongType('a text is needed where null or undefined was given');
  }
  return given;
}

/* Bytes are lists of numbers, and outside of scripts the Base64 of them. */
function bytes(value) {
  if (!isArray(value)) {
    return stringify(required(value));
  }
  let list = '[';
  for (let i = 0; i < value.length; i++) {
    list += (i === 0 ? '' : ',') + (toNumber(value[i]) & 255);
  }
  return list + ']';
}

function link(question, target, until) {
  return ask(question, '[' + stringify(required(target)) + ',' + out(until) + ']');
}

let workflow;

function workflowMember(name) {
  workflow ??= ask(WORKFLOW, '');
  return workflow[name];
}

const functions = {
  __proto__: plain,
  getWorkflowInstanceId() { return workflowMember('instanceId'); },
  getWorkflowDefinitionId() { return workflowMember('definitionId'); },
  getWorkflowDefinitionVersionId() { return workflowMember('versionId'); },
  getWorkflowDefinitionVersion() { return workflowMember('version'); },
  getCorrelationId() { return ask(CORRELATION_ID, ''); },
  getWorkflowInstanceName() { return ask(INSTANCE_NAME, ''); },
  setCorrelationId(id) { call(SET_CORRELATION_ID, stringify(text(id))); },
  setWorkflowInstanceName(name) { call(SET_INSTANCE_NAME, stringify(text(name))); },
  setOutcome(name) { call(SET_OUTCOMES, '[' + stringify(required(name)) + ']'); },
  setOutcomes(names) {
    const list = isArray(names) ? names : [names];
    let given = '[';
    for (let i = 0; i < list.length; i++) {
      given += (i === 0 ? '' : ',') + stringify(required(list[i]));
    }
    call(SET_OUTCOMES, given + ']');
  },
  getVariable(name) { return find(required(name))?.value ?? null; },
  setVariable(name, value) { assign(existing(required(name)), value); },
  getInput(name) { return taken(call(INPUT, required(name))); },
  getOutputFrom(activity, output) {
    return taken(call(OUTPUT, '[' + stringify(required(activity)) + ',' + stringify(text(output)) + ']'));
  },
  getLastResult() { return taken(call(LAST_RESULT, '')); },
  isNullOrEmpty(value) { return (text(value) ?? '') === ''; },
  isNullOrWhiteSpace(value) { return trim(text(value) ?? '') === ''; },
  toJson(value) { return out(value); },
  newGuid() { return ask(GUID, ''); },
  newGuidString() { return ask(GUID, ''); },
  getGuid() { return ask(GUID, ''); },
  getGuidString() { return ask(GUID, ''); },
  newShortGuid() { return ask(SHORT_GUID, ''); },
  getShortGuid() { return ask(SHORT_GUID, ''); },
  parseGuid(value) { return ask(PARSE_GUID, stringify(required(value))); },
  bytesFromString(value) { return ask(BYTES_OF_TEXT, stringify(required(value))); },
  bytesFromBase64(value) { return ask(BYTES, stringify(required(value))); },
  bytesToString(value) { return ask(TEXT_OF_BYTES, bytes(value)); },
  bytesToBase64(value) { return ask(BASE64_OF_BYTES, bytes(value)); },
  stringToBase64(value) { return ask(BASE64_OF_TEXT, stringify(required(value))); },
  stringFromBase64(value) { return ask(TEXT_OF_BYTES, stringify(required(value))); },
  streamToBytes(value) { return ask(BYTES, bytes(value)); },
  streamToBase64(value) { return ask(BASE64_OF_BYTES, bytes(value)); },
  getConfig(name) { return ask(CONFIGURED, stringify(required(name))); },
  getSecret() {
    throw new WrongType('getSecret is not supported: scripts see no secrets; name it in an input that takes one, by an expression of the type Secret');
  },
  createEventTriggerUrl(name, until) { return link(EVENT_LINK, name, until); },
  generateBookmarkTriggerUrl(target, until) { return link(BOOKMARK_LINK, target, until); }
};

for (const name of keys(functions)) {
  define(functions, name, functions[name]);
  if (!name.startsWith('get') && !name.startsWith('set')) {
    define(globalThis, name, functions[name]);
  }
}

define(Math, 'random', { random() { return toNumber(call(RANDOM, '')); } }.random);

// ---- .NET's types: in their names the first letter may be of either case ----

function copyMembers(from, to) {
  for (const name of keys(from)) {
    for (const either of [name, name[0].toLowerCase() + name.slice(1)]) {
      if (!(either in to)) {
        defineProperty(to, either, { ...getOwnPropertyDescriptor(from, name), configurable: true, enumerable: false });
      }
    }
  }
}

const { parseGuid, newGuid, bytesFromString, bytesToBase64 } = functions;
const types = dotNetTypes(parseGuid, newGuid, bytesFromString, bytesToBase64);
for (const name of keys(types)) {
  const { type, members, is } = types[name];
  copyMembers(members, type);
  if (type.prototype) {
    if (is) {
      setPrototypeOf(type.prototype, globalThis[is].prototype);
    }
    copyMembers(type.prototype, type.prototype);
  }
  // Elsa's scripts find them among the keys of the global object.
  defineProperty(globalThis, name,
    { __proto__: null, value: type, writable: true, configurable: true, enumerable: true });
}

setPrototypeOf(globalThis, lazy(lookUp, functions));

/* The value of a script, and after it the variables that may have changed: number, whether assigned, value. */
return value => {
  const result = out(value);
  let changes = '';
  for (const number in held) {
    const variable = held[number];
    if (variable.assigned || typeof variable.value === 'object' && variable.value !== null) {
      const now = out(variable.value);
      if (variable.assigned || now !== variable.was) {
        changes += ',[' + number + ',' + variable.assigned + ',' + now + ']';
      }
    }
  }
  return '[' + result + changes + ']';
};
