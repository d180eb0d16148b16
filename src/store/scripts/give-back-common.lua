#!lua
-- Gives back units of a limit over all members, of goods that were returned. Safe to repeat.
--- @include "clock"
--- @include "common"
--- @include "give-back"
--- @declared "common-limits"

if settle_once(settled_key, step, now_ms(), tonumber(retention_ms)) then
  give_back(use_key, usage_key, tonumber(units))
end
