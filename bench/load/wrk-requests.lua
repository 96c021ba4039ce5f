-- Requests the paths in a file in turn, either unchanged or each with a unique number appended.
-- Arguments: the file of paths, the file with the rest of the request after the path, and the number of this load or "as-is".

local requests = {}
local paths = {}
local tail
local load
local count = 0

function init(args)
  for path in io.lines(args[1]) do paths[#paths + 1] = path end
  local file = io.open(args[2], "rb")
  tail = file:read("*a")
  file:close()
  load = args[3]
  if load == "as-is" then
    for index, path in ipairs(paths) do requests[index] = "GET " .. path .. tail end
  end
end

function request()
  count = count + 1
  local at = (count - 1) % #paths + 1
  return requests[at] or "GET " .. paths[at] .. load .. "-" .. count .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,' ..
      '"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d}}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect, errors.read, errors.write, errors.status, errors.timeout
  ))
end
