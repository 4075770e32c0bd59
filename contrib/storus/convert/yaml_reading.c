/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading mappings and lists of a YAML document: see yaml_reading.h. */
#include "torus_config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "storus/convert/yaml_reading.h"

void storus_yaml_remark(storus_yaml_reading_t *reading, const yaml_node_t *node,
			const char *format, ...)
{
	char text[sizeof(reading->err->text)];
	torus_error_t line;
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	torus_fail(&line, "%s:%zu: %s", reading->path, node->start_mark.line + 1, text);
	reading->remark(reading->context, line.text);
}

const char *storus_yaml_text(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

bool storus_yaml_is_text(const yaml_node_t *node)
{
	return node->type == YAML_SCALAR_NODE &&
	       strlen(storus_yaml_text(node)) == node->data.scalar.length;
}

bool storus_yaml_is_empty(const yaml_node_t *node)
{
	if (!node)
		return true;
	switch (node->type) {
	case YAML_SCALAR_NODE:
		return node->data.scalar.length == 0 ||
		       (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
			storus_yaml_is_text(node) &&
			(strcasecmp(storus_yaml_text(node), "null") == 0 ||
			 strcmp(storus_yaml_text(node), "~") == 0));
	case YAML_SEQUENCE_NODE:
		return node->data.sequence.items.start == node->data.sequence.items.top;
	case YAML_MAPPING_NODE:
		return node->data.mapping.pairs.start == node->data.mapping.pairs.top;
	default:
		return true;
	}
}

int storus_yaml_mapping(storus_yaml_reading_t *reading, yaml_node_t *node,
			const char *what, storus_yaml_key_t *key, int keys)
{
	yaml_node_pair_t *pair;

	if (node->type != YAML_MAPPING_NODE)
		return YAML_FAIL(reading, node, "a %s is written as 'key: value' lines",
				 what);
	for (pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
	     pair++) {
		yaml_node_t *name = yaml_document_get_node(&reading->document, pair->key);
		yaml_node_t *value =
			yaml_document_get_node(&reading->document, pair->value);
		int k = 0;

		while (k < keys && (!storus_yaml_is_text(name) ||
				    strcmp(storus_yaml_text(name), key[k].name) != 0))
			k++;
		if (k == keys) {
			storus_yaml_remark(
				reading, name,
				"'%s' is left out: no key of a %s that Slurm knows",
				storus_yaml_is_text(name) ? storus_yaml_text(name) : "?",
				what);
			continue;
		}
		if (key[k].value)
			storus_yaml_remark(reading, key[k].value,
					   "this '%s' is left out: another one follows",
					   key[k].name);
		key[k].value = storus_yaml_is_empty(value) ? NULL : value;
	}
	return 0;
}

yaml_node_t *storus_yaml_required(storus_yaml_reading_t *reading, const yaml_node_t *node,
				  const char *what, const storus_yaml_key_t *key)
{
	if (!key->value)
		YAML_FAIL(reading, node, "a %s without '%s'", what, key->name);
	return key->value;
}

yaml_node_t *storus_yaml_element(storus_yaml_reading_t *reading, yaml_node_t *node,
				 size_t i)
{
	yaml_node_item_t *item;

	if (node->type != YAML_SEQUENCE_NODE)
		return i == 0 ? node : NULL;
	item = node->data.sequence.items.start + i;
	return item < node->data.sequence.items.top
		       ? yaml_document_get_node(&reading->document, *item)
		       : NULL;
}
