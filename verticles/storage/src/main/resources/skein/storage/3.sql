-- Version 3 of the schema: workflows that are used as activities.

-- The name of the definition as a type of activity; null when it is not usable as one.
alter table workflow_definitions add column type_name text;
-- What its uses of others name: t:type, d:definition id, v:version id.
alter table workflow_definitions add column uses text[];

update workflow_definitions
   set type_name = (select string_agg(upper(left(word, 1)) || substr(word, 2), '' order by n)
                      from regexp_split_to_table(name, '[ _-]+') with ordinality as words (word, n))
 where name is not null
   and (content::json #>> '{options,usableAsActivity}' = 'true'
        or content::json ->> 'usableAsActivity' = 'true');

update workflow_definitions
   set uses = (select array_agg(distinct key)
                 from (select 't:' || (type #>> '{}') as key
                         from jsonb_path_query(content::jsonb, '$.root.**.type') as types (type)
                        where type #>> '{}' not like 'Elsa.%'
                       union all
                       select 'd:' || (id #>> '{}')
                         from jsonb_path_query(content::jsonb, '$.root.**.workflowDefinitionId') as ids (id)
                        where jsonb_typeof(id) = 'string'
                       union all
                       select 'v:' || (id #>> '{}')
                         from jsonb_path_query(content::jsonb, '$.root.**.workflowDefinitionVersionId') as ids (id)
                        where jsonb_typeof(id) = 'string') as keys);

create index workflow_definitions_type on workflow_definitions (type_name)
  where type_name is not null;
create index workflow_definitions_uses on workflow_definitions using gin (uses)
  where uses is not null;
