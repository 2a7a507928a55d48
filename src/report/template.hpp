// How pages are put together from files with places for what is different in each page.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace headway::report {

// For the inside of a script element, where only "<" can do harm; in JSON it stands in strings.
std::string in_script(const std::string& json);
// For text and for values of attributes in double quotes.
std::string in_html(const std::string& plain);

// Replaces each {{name}} of `page` by its part; what is put in is not looked at again. Every name
// has a part.
std::string fill(std::string_view page, const std::map<std::string_view, std::string>& parts);

}  // namespace headway::report
