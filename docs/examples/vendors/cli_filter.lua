-- SPDX-License-Identifier: GPL-2.0-or-later
-- CliFilterPlugins=lua (beside torus): Google's words for a slice of TPUs become the torus's own. Slurm with the patch of
-- slurm-gcp has --layout=tpu7x=2x2x4, or --accelerator-topology=tpu7x:2x2x4; others say --comment=layout=tpu7x=2x2x4.
-- job_submit.lua cannot do this: Slurm lets it read --network, but not set it.
function slurm_cli_setup_defaults(options, early) return slurm.SUCCESS end
function slurm_cli_post_submit(offset, job, step) return slurm.SUCCESS end
function slurm_cli_pre_submit(options, offset)
	local words = options["layout"] or options["accelerator-topology"] or
		string.match(options["comment"] or "", "layout=(%S+)") or ""
	local kind, chips = string.match(words, "^([%w-]+)[=:](%d+x[%dx]*%d)$")
	if not chips or (options["network"] or "") ~= "" then return slurm.SUCCESS end
	options["network"] = "torus:chips=" .. chips
	if not string.find(options["gres"] or "", "tpu") then options["gres"] = "tpu:" .. kind .. ":4" end
	return slurm.SUCCESS
end
