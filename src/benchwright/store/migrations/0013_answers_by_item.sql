-- An index on the item alone holds its answers in their order: those after a place are found without a look at the rest.

CREATE INDEX answers_by_item ON answers (item);
