/*
 * What Skein calls of QuickJS-ng. One runtime with one context for each instance of the module; all
 * state is in the module's memory, so that who keeps a copy of the memory can put it back.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "quickjs.h"

#define IMPORT(name) __attribute__((import_module("host"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))
#define SCRIPTS_MAX 4096
#define FILE_NAME "expression"

/* Asked every some thousand instructions; not 0 ends the script. */
IMPORT("interrupted") int32_t host_interrupted(void);

/*
 * A function of the host. The answer was allocated with `allocate`: its length in 4 bytes, then
 * UTF-8; a negative length is that of the message of a TypeError; 0 is undefined.
 */
IMPORT("call") char *host_call(int32_t function, const char *argument, int32_t length);

/* In quickjs.c, by quickjs.patch: JavaScript's strings, and sources that scripts compile. */
extern int skein_string_length_max;
extern int skein_source_length_max;

static JSRuntime *runtime;
static JSContext *context;
static JSValue finish = JS_UNDEFINED; /* makes the text that leaves of a script's value */
static JSValue look_up = JS_UNDEFINED; /* makes the global of a name when it is first asked for */
static JSClassID lazy_class;
static bool running;
static int source_length_max = INT32_MAX;
static JSValue scripts[SCRIPTS_MAX];
static int32_t script_count;
static char *text;
static size_t text_length;

static int on_interrupt(JSRuntime *rt, void *opaque) { return host_interrupted(); }

static JSValue call(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv) {
  int32_t function = 0;
  size_t length = 0;
  if (argc < 2 || JS_ToInt32(ctx, &function, argv[0])) return JS_EXCEPTION;
  const char *argument = JS_ToCStringLen(ctx, &length, argv[1]);
  if (!argument) return JS_EXCEPTION;
  char *answer = host_call(function, argument, (int32_t)length);
  JS_FreeCString(ctx, argument);
  if (!answer) return JS_UNDEFINED;
  int32_t size;
  memcpy(&size, answer, 4);
  JSValue value = size < 0 ? JS_ThrowTypeError(ctx, "%.*s", -size, answer + 4)
                           : JS_NewStringLen(ctx, answer + 4, size);
  free(answer);
  return value;
}

/* Unlike a Proxy it can say that there is no such name, which is a ReferenceError. */
static int lazy_property(JSContext *ctx, JSPropertyDescriptor *found, JSValueConst self, JSAtom atom) {
  if (!running) return 0;
  JSValue name = JS_AtomToValue(ctx, atom);
  JSValue value = JS_UNDEFINED;
  if (JS_IsString(name)) value = JS_Call(ctx, look_up, JS_UNDEFINED, 1, (JSValueConst *)&name);
  JS_FreeValue(ctx, name);
  if (JS_IsException(value)) return -1;
  if (JS_IsUndefined(value)) return 0;
  if (!found) {
    JS_FreeValue(ctx, value);
    return 1;
  }
  found->flags = JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE;
  found->value = value;
  found->getter = JS_UNDEFINED;
  found->setter = JS_UNDEFINED;
  return 1;
}

static JSClassExoticMethods lazy_methods = {.get_own_property = lazy_property};
static JSClassDef lazy_definition = {"Object", .exotic = &lazy_methods};

/* An object whose members the function makes; those it does not know are its prototype's. */
static JSValue lazy(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv) {
  if (argc < 2) return JS_EXCEPTION;
  look_up = JS_DupValue(ctx, argv[0]);
  return JS_NewObjectProtoClass(ctx, argv[1], lazy_class);
}

static void keep(JSContext *ctx, JSValueConst value) {
  free(text);
  text = NULL;
  text_length = 0;
  size_t length;
  const char *chars = JS_ToCStringLen(ctx, &length, value);
  if (!chars) return;
  text = malloc(length + 1);
  if (text) {
    memcpy(text, chars, length);
    text_length = length;
  }
  JS_FreeCString(ctx, chars);
}

/* The error as "Name: message", a line feed, and where it was. */
static int32_t failed(void) {
  JSValue error = JS_GetException(context);
  JSValue stack = JS_IsError(error) ? JS_GetPropertyStr(context, error, "stack") : JS_UNDEFINED;
  JSValue shown = JS_ToString(context, error);
  if (JS_IsException(shown)) shown = JS_NewString(context, "an object");
  keep(context, shown);
  JS_FreeValue(context, shown);
  size_t length;
  const char *where = JS_IsString(stack) ? JS_ToCStringLen(context, &length, stack) : NULL;
  if (where && text) {
    char *both = malloc(text_length + length + 1);
    if (both) {
      memcpy(both, text, text_length);
      both[text_length] = '\n';
      memcpy(both + text_length + 1, where, length);
      free(text);
      text = both;
      text_length += length + 1;
    }
  }
  if (where) JS_FreeCString(context, where);
  JS_FreeValue(context, stack);
  JS_FreeValue(context, error);
  return 1;
}

EXPORT("allocate") void *allocate(int32_t size) { return malloc(size); }
EXPORT("release") void release(void *pointer) { free(pointer); }
EXPORT("text") const char *result_text(void) { return text; }
EXPORT("text_length") int32_t result_length(void) { return (int32_t)text_length; }

/* The prelude is a function that is given `call` and `lazy` and returns `finish`. 0 where all went well. */
EXPORT("boot")
int32_t boot(int32_t memory_max, int32_t stack_max, const char *prelude, int32_t length) {
  runtime = JS_NewRuntime();
  if (!runtime) return -1;
  JS_SetMemoryLimit(runtime, memory_max);
  JS_SetMaxStackSize(runtime, stack_max);
  JS_SetInterruptHandler(runtime, on_interrupt, NULL);
  /* What is kept is as good as it gets; cycles are collected when a script has made many. */
  JS_SetGCThreshold(runtime, memory_max / 4);
  context = JS_NewContext(runtime);
  if (!context) return -1;
  JS_NewClassID(runtime, &lazy_class);
  if (JS_NewClass(runtime, lazy_class, &lazy_definition) < 0) return -1;
  JSValue function = JS_Eval(context, prelude, length, "prelude", JS_EVAL_TYPE_GLOBAL);
  if (JS_IsException(function)) return failed();
  JSValue given[2] = {JS_NewCFunction(context, call, "call", 2), JS_NewCFunction(context, lazy, "lazy", 2)};
  finish = JS_Call(context, function, JS_UNDEFINED, 2, (JSValueConst *)given);
  JS_FreeValue(context, given[0]);
  JS_FreeValue(context, given[1]);
  JS_FreeValue(context, function);
  return JS_IsException(finish) ? failed() : 0;
}

/* Characters of a string, and bytes of a source that a script has compiled. */
EXPORT("limit") void limit(int32_t string_max, int32_t source_max) {
  skein_string_length_max = string_max;
  source_length_max = source_max;
}

/* The number of the script, or -1 and the error as the text. Runs nothing of it. */
EXPORT("compile") int32_t compile(const char *source, int32_t length) {
  if (script_count == SCRIPTS_MAX) return -2;
  JSValue script = JS_Eval(context, source, length, FILE_NAME, JS_EVAL_FLAG_COMPILE_ONLY);
  if (JS_IsException(script)) {
    failed();
    return -1;
  }
  scripts[script_count] = script;
  return script_count++;
}

/* What a promise has become when all that waits has run; takes the value. */
static JSValue settled(JSValue value) {
  JSContext *ctx = context;
  while (JS_IsJobPending(runtime)) {
    if (JS_ExecutePendingJob(runtime, &ctx) < 0) {
      JS_FreeValue(context, value);
      return JS_EXCEPTION;
    }
  }
  if (!JS_IsPromise(value)) return value;
  JSPromiseStateEnum state = JS_PromiseState(context, value);
  JSValue result = state == JS_PROMISE_PENDING ? JS_UNDEFINED : JS_PromiseResult(context, value);
  JS_FreeValue(context, value);
  if (state == JS_PROMISE_PENDING) return JS_ThrowTypeError(context, "the script waits for nothing that can happen");
  return state == JS_PROMISE_REJECTED ? JS_Throw(context, result) : result;
}

static int32_t ran(int32_t script) {
  JSValue value = JS_EvalFunction(context, JS_DupValue(context, scripts[script]));
  if (!JS_IsException(value)) value = settled(value);
  if (JS_IsException(value)) return failed();
  JSValue made = JS_Call(context, finish, JS_UNDEFINED, 1, (JSValueConst *)&value);
  JS_FreeValue(context, value);
  if (JS_IsException(made)) return failed();
  keep(context, made);
  JS_FreeValue(context, made);
  return 0;
}

/* 0 and what `finish` made of the value as the text, or 1 and the error. */
EXPORT("run") int32_t run(int32_t script) {
  running = true;
  skein_source_length_max = source_length_max;
  int32_t result = ran(script);
  skein_source_length_max = INT32_MAX;
  running = false;
  return result;
}
