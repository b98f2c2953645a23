#!/usr/bin/env python3
"""Splits the interpreter loop of quickjs.c (JS_CallInternal) into functions for groups of opcodes.

The JVM compiles no method of more than 8,000 bytes, and its first compiler gives up before that; as
one function the loop has 40,000. Each part is the whole loop, in which the cases of other groups can
not be reached, so that the C compiler leaves them out; it returns where the next opcode belongs to
another part.

    split.py quickjs.c      writes quickjs.c, quickjs-loop.inc and quickjs-parts.h
"""
import re
import sys
from pathlib import Path

# What loops and calls of short scripts are made of, in groups of what follows each other.
GROUPS = [
    """push_i32 push_const push_minus1 push_0 push_1 push_2 push_3 push_4 push_5 push_6 push_7 push_i8
    push_i16 push_const8 push_empty_string push_atom_value undefined null push_false push_true drop
    nip dup dup1 dup2 insert2 insert3 swap get_loc put_loc set_loc get_arg put_arg set_arg get_loc8
    put_loc8 set_loc8 get_loc0_loc1 get_loc0 get_loc1 get_loc2 get_loc3 put_loc0 put_loc1 put_loc2
    put_loc3 set_loc0 set_loc1 set_loc2 set_loc3 get_arg0 get_arg1 get_arg2 get_arg3 put_arg0
    put_arg1 put_arg2 put_arg3 get_var_ref get_var_ref0 get_var_ref1 get_var_ref2 get_var_ref3
    put_var_ref get_var_ref_check get_loc_check put_loc_check put_loc_check_init
    set_loc_uninitialized goto goto16 goto8 if_true if_false if_true8 if_false8 lnot is_undefined
    is_null is_undefined_or_null nop return return_undef""",
    """get_field get_field2 put_field get_length get_array_el get_array_el2 put_array_el object
    define_field call0 call1 call2 call3 call call_method tail_call tail_call_method fclosure8
    fclosure push_this get_var get_var_undef""",
    """add add_loc sub mul div mod lt lte gt gte eq neq strict_eq strict_neq inc dec post_inc post_dec
    inc_loc dec_loc typeof typeof_is_undefined typeof_is_function plus neg""",
]
OTHER_GROUPS = 9

LOOP = """#define SWITCH(pc) switch (opcode = *pc++)
#define CASE(op) case (JS_PART_##op == PART ? (int)(op) : (int)(op) + 1000)
#define DEFAULT default: if (js_part_of[opcode] != PART) goto elsewhere
#define BREAK break

static __attribute__((noinline)) int JS_RUN_NAME(PART)(struct js_run *run)
{
    JSContext *caller_ctx = run->caller_ctx, *ctx = run->ctx;
    JSRuntime *rt = ctx->rt;
    JSFunctionBytecode *b = run->b;
    JSStackFrame *sf = run->sf;
    JSVarRef **var_refs = run->var_refs;
    JSValue *var_buf = sf->var_buf, *arg_buf = sf->arg_buf, *stack_buf = var_buf + b->var_count;
    JSValue *sp = run->sp, ret_val = JS_UNDEFINED;
    JSValueConst func_obj = run->func_obj, this_obj = run->this_obj, new_target = run->new_target;
    JSValueConst *argv = run->argv;
    int argc = run->argc;
    uint8_t *pc = run->pc;
    JSObject *p = JS_VALUE_GET_OBJ(sf->cur_func);
    int opcode, i;

@BODY@
 exception:
    run->pc = pc;
    run->sp = sp;
    return JS_RUN_EXCEPTION;
 done:
    run->pc = pc;
    run->sp = sp;
    run->ret_val = ret_val;
    return JS_RUN_DONE;
 done_generator:
    run->pc = pc;
    run->sp = sp;
    run->ret_val = ret_val;
    return JS_RUN_DONE_GENERATOR;
 elsewhere:
    run->pc = pc - 1;
    run->sp = sp;
    return JS_RUN_ELSEWHERE;
}

#undef SWITCH
#undef CASE
#undef DEFAULT
#undef BREAK
#undef PART
"""

DECLARATIONS = """
struct js_run {
    JSContext *caller_ctx, *ctx;
    JSFunctionBytecode *b;
    JSStackFrame *sf;
    JSVarRef **var_refs;
    JSValueConst func_obj, this_obj, new_target;
    JSValueConst *argv;
    int argc;
    uint8_t *pc;
    JSValue *sp, ret_val;
};

enum { JS_RUN_ELSEWHERE, JS_RUN_EXCEPTION, JS_RUN_DONE, JS_RUN_DONE_GENERATOR };

#define JS_RUN_PASTE(part) js_run_##part
#define JS_RUN_NAME(part) JS_RUN_PASTE(part)
#include "quickjs-parts.h"
"""

CALL = """ restart:
    {
        struct js_run run = {caller_ctx, ctx, b, sf, var_refs, func_obj, this_obj, new_target, argv, argc, pc, sp, JS_UNDEFINED};
        int end;

        do {
            switch (js_part_of[*run.pc]) {
@CALLS@
            }
        } while (end == JS_RUN_ELSEWHERE);
        pc = run.pc;
        sp = run.sp;
        ret_val = run.ret_val;
        if (end == JS_RUN_DONE)
            goto done;
        if (end == JS_RUN_DONE_GENERATOR)
            goto done_generator;
    }
"""


def opcodes(body):
    """In the order of the source, with the line of each."""
    found = {}
    for number, line in enumerate(body):
        if "CASE(" in line or "OP_CMP(OP_" in line:
            for name in re.findall(r"\bOP_([a-z]\w*)", line):
                found.setdefault(name, number)
    return found


def parts(body):
    found = opcodes(body)
    of = {name: part for part, group in enumerate(GROUPS) for name in group.split() if name in found}
    others = [name for name in found if name not in of]
    for place, name in enumerate(others):
        of[name] = len(GROUPS) + place * OTHER_GROUPS // len(others)
    return of


def main():
    path = Path(sys.argv[1])
    lines = path.read_text().split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("static JSValue JS_CallInternal(JSContext *caller_ctx"))
    restart = next(i for i in range(start, len(lines)) if lines[i] == " restart:")
    exception = next(i for i in range(restart, len(lines)) if lines[i] == " exception:")
    body = [line.replace("DEFAULT:", "DEFAULT;") for line in lines[restart + 1:exception]]
    of = parts(body)
    count = max(of.values()) + 1
    loop = LOOP.replace("@BODY@", "\n".join(body))
    path.with_name("quickjs-loop.inc").write_text(loop)
    table = [f"#define JS_PART_OP_{name} {part}" for name, part in of.items()]
    table += ["static const uint8_t js_part_of[256] = {"] + [f"    [OP_{name}] = {part}," for name, part in of.items()] + ["};"]
    table += [f'#define PART {part}\n#include "quickjs-loop.inc"' for part in range(count)]
    path.with_name("quickjs-parts.h").write_text("\n".join(table) + "\n")
    calls = [f"            case {part}: end = js_run_{part}(&run); break;" for part in range(count - 1)]
    calls += [f"            default: end = js_run_{count - 1}(&run); break;"]
    head = lines[start:restart]
    table_start = head.index("#if !DIRECT_DISPATCH")
    del head[table_start:head.index("#endif", table_start) + 1]
    call = CALL.replace("@CALLS@", "\n".join(calls))
    path.write_text("\n".join(lines[:start] + [DECLARATIONS] + head + [call] + lines[exception:]))


main()
