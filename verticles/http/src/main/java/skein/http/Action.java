package skein.http;

import io.vertx.core.Future;

/** Answers one kind of call; a refusal may be thrown or be the future's failure. */
interface Action {
  Future<Answer> answer(Call call);
}
