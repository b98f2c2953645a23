// What a dashboard of docker/observability may have: Grafana's own types, of which nothing is required
// and enumerations are their values, with the options of the panels and queries that are used here.
import type {
  Dashboard as GrafanaDashboard,
  FieldConfig,
  FieldConfigSource,
  Panel as GrafanaPanel,
  VariableModel,
} from '@grafana/schema/dist/esm/raw/dashboard/x/Dashboard_types.gen';
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type {
  FieldConfig as TimeSeriesFieldConfig,
  Options as TimeSeriesOptions,
} from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';

type Loose<T> = T extends string
  ? `${T}`
  : T extends Array<infer U>
    ? Array<Loose<U>>
    : T extends object
      ? { [K in keyof T]?: Loose<T[K]> }
      : T;

interface Query {
  refId: string;
  datasource: { type: 'prometheus'; uid: string };
  editorMode: 'code';
  range: boolean;
  expr: string;
  legendFormat: string;
}

interface Fields<Custom> {
  defaults: Loose<Omit<FieldConfig, 'custom'>> & { custom?: Loose<Custom> };
  overrides: Loose<FieldConfigSource['overrides']>;
}

type Panel<Type extends string, Options, Custom> = Loose<
  Omit<GrafanaPanel, 'type' | 'options' | 'fieldConfig' | 'targets'>
> & { type: Type; options: Loose<Options>; fieldConfig: Fields<Custom>; targets: Query[] };

type Variable = Loose<VariableModel> & { definition?: string };

export type Dashboard = Loose<Omit<GrafanaDashboard, 'panels' | 'templating'>> & {
  templating: { list: Variable[] };
  panels: Array<
    Panel<'stat', StatOptions, Record<string, never>> | Panel<'timeseries', TimeSeriesOptions, TimeSeriesFieldConfig>
  >;
};
