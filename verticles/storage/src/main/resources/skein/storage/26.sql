-- Version 26 of the schema: which of several OpenID providers has signed somebody in.
-- Compatible with version 25.

-- Null: a session of a user, or of before there could be several providers.
alter table identity_sessions add column person_issuer text;
