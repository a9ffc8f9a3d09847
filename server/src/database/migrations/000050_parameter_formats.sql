-- How the variables of a template are told apart: `named` or `positional`. Null where the platform has not told it.
alter table templates add column parameter_format text;
